package org.gelato.ce.perf.budgets;

import java.util.Map;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Monitor;

/**
 * What was counted over some job lives.
 *
 * @param jobs lives
 * @param background statements and commits per second of the CE without jobs; subtracted from those of the phase
 * @param statusCalls JobStatus calls among what was counted
 */
record Phase(int jobs, Counters counted, Monitor.Seen seen, Background background, long statusCalls) {
    private static final java.util.Set<String> SUBMITTING = java.util.Set.of("sbatch", "qsub", "scancel", "qdel");

    /** What the CE sends the database each second while nothing happens. */
    record Background(double sql, double commits) {
        static final Background NONE = new Background(0, 0);
    }

    /** The same, of which a background is to be subtracted. */
    Phase beyond(Background without) {
        return new Phase(jobs, counted, seen, without, statusCalls);
    }

    double sqlPerJob() {
        return Math.max(0, counted.sql() - background.sql() * counted.seconds()) / jobs;
    }

    double commitsPerJob() {
        return Math.max(0, counted.commits() - background.commits() * counted.seconds()) / jobs;
    }

    /** Starts of programs that hand over or cancel; exact. */
    long submitting() {
        return counted.programs().entrySet().stream()
                .filter(e -> SUBMITTING.contains(e.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Starts of programs for queries; they come with time, not with jobs. */
    long polls() {
        return counted.programs().values().stream().mapToLong(Long::longValue).sum() - submitting();
    }

    /**
     * Process starts for the jobs, without polls: the batch system's programs and workers of accounts where they are counted,
     * else what was seen below the helper.
     */
    double processStartsPerJob() {
        long starts = counted.programs().isEmpty() ? seen.helperStarts() : submitting() + seen.workerStarts();
        return (double) starts / jobs;
    }
}
