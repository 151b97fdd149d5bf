package org.gelato.ce.cli.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Compares what the CE and the batch system have of the same jobs. A job is known by the batch system's id; where that was given
 * twice, by the end that is nearest. One that the batch system lists twice with the same end, as from its queue and its history, counts once.
 */
final class Reconciliation {
    private final Duration tolerance;
    private final double cpuTolerance;
    private final Instant from;
    private final Instant to;
    private final List<Difference> differences = new ArrayList<>();
    private int compared;

    /**
     * Something that is not the same.
     *
     * @param what {@code ce} for a job the CE does not have, {@code batch} for one the batch system does not have; otherwise the value
     * @param ce null where the CE has none
     * @param batch null where the batch system has none
     */
    record Difference(String id, String name, String what, String ce, String batch) {}

    /**
     * @param tolerance of times
     * @param cpuTolerance seconds of CPU time
     * @param to null for no end
     */
    Reconciliation(Duration tolerance, double cpuTolerance, Instant from, Instant to) {
        this.tolerance = tolerance;
        this.cpuTolerance = cpuTolerance;
        this.from = from;
        this.to = to;
    }

    int compared() {
        return compared;
    }

    List<Difference> differences() {
        return differences;
    }

    private boolean inside(UsedJob job) {
        return !job.end().isBefore(from) && (to == null || job.end().isBefore(to));
    }

    /** Both sides may have jobs from around the interval, which are no one's loss. */
    void compare(List<UsedJob> ce, List<UsedJob> batch) {
        Map<String, List<UsedJob>> byId = new LinkedHashMap<>();
        ce.forEach(
                job -> byId.computeIfAbsent(job.id(), id -> new ArrayList<>()).add(job));
        Set<String> seen = new HashSet<>();
        for (UsedJob theirs : batch) {
            if (!seen.add(theirs.id() + ' ' + theirs.end())) {
                continue;
            }
            UsedJob ours = nearest(byId.getOrDefault(theirs.id(), List.of()), theirs);
            if (ours != null) {
                byId.get(theirs.id()).remove(ours);
                if (inside(theirs) || inside(ours)) {
                    compare(ours, theirs);
                }
            } else if (inside(theirs)) {
                differences.add(new Difference(theirs.id(), theirs.name(), "ce", null, text(theirs)));
            }
        }
        byId.values().stream()
                .flatMap(List::stream)
                .filter(this::inside)
                .forEach(job -> differences.add(new Difference(job.id(), job.name(), "batch", text(job), null)));
    }

    private static UsedJob nearest(List<UsedJob> ours, UsedJob theirs) {
        UsedJob best = null;
        for (UsedJob job : ours) {
            if (best == null || apart(job.end(), theirs.end()).compareTo(apart(best.end(), theirs.end())) < 0) {
                best = job;
            }
        }
        // An id that was given twice: whole days apart it is another job.
        return best == null || apart(best.end(), theirs.end()).compareTo(Duration.ofDays(2)) > 0 ? null : best;
    }

    private static Duration apart(Instant a, Instant b) {
        return Duration.between(a, b).abs();
    }

    private void compare(UsedJob ours, UsedJob theirs) {
        compared++;
        time(ours, theirs, "start", UsedJob::start);
        time(ours, theirs, "end", UsedJob::end);
        number(ours, theirs, "wall", UsedJob::wall, tolerance.toMillis() / 1e3);
        number(ours, theirs, "cpu", UsedJob::cpu, cpuTolerance);
        number(ours, theirs, "cores", job -> job.cores() == null ? null : (double) job.cores(), 0);
    }

    private void time(UsedJob ours, UsedJob theirs, String what, Function<UsedJob, Instant> value) {
        Instant a = value.apply(ours);
        Instant b = value.apply(theirs);
        if (a != null && b != null && apart(a, b).compareTo(tolerance) > 0) {
            differences.add(new Difference(ours.id(), ours.name(), what, a.toString(), b.toString()));
        }
    }

    private void number(UsedJob ours, UsedJob theirs, String what, Function<UsedJob, Double> value, double tolerated) {
        Double a = value.apply(ours);
        Double b = value.apply(theirs);
        boolean differs = a == null ? b != null && b > tolerated : b != null && Math.abs(a - b) > tolerated;
        if (differs) {
            differences.add(
                    new Difference(ours.id(), ours.name(), what, a == null ? null : a.toString(), b.toString()));
        }
    }

    private static String text(UsedJob job) {
        return "end=" + job.end() + " wall=" + job.wall() + " cpu=" + job.cpu();
    }
}
