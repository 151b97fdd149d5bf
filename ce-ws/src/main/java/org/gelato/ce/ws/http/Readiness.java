package org.gelato.ce.ws.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.ws.http.HealthCheck.Outcome;

/**
 * Reports whether the CE can work, from all its checks. Any client may call, and a check may cost a process, so one round
 * of checks serves everybody for some seconds. Thread-safe.
 */
public final class Readiness {
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<HealthCheck> checks;
    private final Clock clock;
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();
    private CompletableFuture<Report> latest;
    private Instant checked;
    private volatile Report complete;

    public Readiness(List<HealthCheck> checks, Clock clock) {
        this.checks = List.copyOf(checks);
        this.clock = clock;
    }

    /**
     * The results of all checks.
     *
     * @param ready whether all are ok
     * @param degraded whether some users can't be served
     */
    public record Report(boolean ready, boolean degraded, List<Line> checks) {
        Report(List<Line> checks) {
            this(checks.stream().allMatch(Line::ok), checks.stream().anyMatch(Line::degraded), checks);
        }
    }

    /** The result of one check. */
    public record Line(String name, boolean ok, boolean degraded, String detail) {}

    /** What a check found, and when it found the same for the first time in a row. */
    private record Seen(boolean ok, boolean degraded, Instant since) {}

    /** The report that was made last, which may be old; null before the first. */
    public Report last() {
        return complete;
    }

    /** Since when a check has had the outcome that it has; null before the first report. */
    public Instant since(String check) {
        Seen of = seen.get(check);
        return of == null ? null : of.since();
    }

    /** The report of this moment or of some seconds ago; never fails. */
    public synchronized CompletableFuture<Report> report() {
        Instant now = clock.instant();
        if (latest == null || (latest.isDone() && now.isAfter(checked.plus(FRESH)))) {
            latest = check();
            checked = now;
        }
        // A copy: a caller that waits with a deadline of its own must not end it for the others.
        return latest.copy();
    }

    private CompletableFuture<Report> check() {
        List<CompletableFuture<Line>> lines =
                checks.stream().map(Readiness::line).toList();
        return CompletableFuture.allOf(lines.toArray(CompletableFuture<?>[]::new))
                .thenApply(nothing -> {
                    List<Line> done = new ArrayList<>();
                    lines.forEach(line -> done.add(line.join()));
                    Instant now = clock.instant();
                    done.forEach(line -> seen.merge(
                            line.name(),
                            new Seen(line.ok(), line.degraded(), now),
                            (before, found) -> before.ok() == found.ok() && before.degraded() == found.degraded()
                                    ? before
                                    : found));
                    Report report = new Report(done);
                    complete = report;
                    return report;
                });
    }

    private static CompletableFuture<Line> line(HealthCheck check) {
        CompletableFuture<Outcome> outcome;
        try {
            outcome = check.check().copy();
        } catch (RuntimeException e) {
            outcome = CompletableFuture.failedFuture(e);
        }
        Outcome late = new Outcome(false, "no result within " + PATIENCE.toSeconds() + " s");
        return outcome.completeOnTimeout(late, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(
                        e -> new Outcome(false, "failed: " + root(e).getClass().getSimpleName()))
                .thenApply(o -> new Line(check.name(), o.ok(), o.degraded(), o.detail()));
    }

    private static Throwable root(Throwable e) {
        return e.getCause() == null ? e : e.getCause();
    }
}
