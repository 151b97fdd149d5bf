package org.gelato.ce.ws.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    private CompletableFuture<Report> latest;
    private Instant checked;

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
                    return new Report(done);
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
