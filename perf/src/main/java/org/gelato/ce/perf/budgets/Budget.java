package org.gelato.ce.perf.budgets;

import java.util.List;
import org.gelato.ce.perf.site.BatchKind;

/**
 * One bound of docs/developer/design.md section 9 and what was measured against it.
 *
 * @param name as in the result
 * @param bound the largest value that holds
 * @param uncertain by how much the measured value may be too large
 */
public record Budget(String name, double measured, double bound, double uncertain) {
    private static final int DESCRIPTORS_BELOW = 256;
    /**
     * Statements of the CE's clocks in a second of the lives alone, beyond the mean that is subtracted: a round with a job has more to do
     * than one without, and on a slow host a life sees more rounds.
     */
    private static final double CLOCKS = 0.5;

    /** Commits a second that the clocks of an idle CE cost. */
    private static final double CLOCKS_COMMITS = 0.1;

    private Budget(String name, double measured, double bound) {
        this(name, measured, bound, 0);
    }

    public boolean holds() {
        return measured - uncertain <= bound;
    }

    /** All of them, for one measurement. */
    static List<Budget> of(BatchKind batch, Phase alone, Phase load) {
        // Where processes are not to be started, none; else one per job, which is the hand-over itself.
        int starts = batch == BatchKind.STUB ? 0 : 1;
        double lives = alone.counted().seconds() / alone.jobs();
        return List.of(
                new Budget("sql_per_job", load.sqlPerJob(), 15),
                new Budget("commits_per_job", load.commitsPerJob(), 3),
                new Budget("process_starts_per_job", load.processStartsPerJob(), starts),
                new Budget(
                        "jvm_process_starts",
                        load.seen().jvmStarts() + alone.seen().jvmStarts(),
                        0),
                new Budget(
                        "descriptors_peak",
                        Math.max(load.seen().descriptorsPeak(), alone.seen().descriptorsPeak()),
                        DESCRIPTORS_BELOW - 1),
                new Budget("alone.sql_per_job", alone.sqlPerJob(), 25, CLOCKS * lives),
                new Budget("alone.commits_per_job", alone.commitsPerJob(), 8, CLOCKS_COMMITS * lives),
                new Budget("alone.process_starts_per_job", alone.processStartsPerJob(), starts));
    }

    @Override
    public String toString() {
        String message = String.format(java.util.Locale.ROOT, "%s is %.2f, the bound is %.0f", name, measured, bound);
        return uncertain == 0
                ? message
                : message + String.format(java.util.Locale.ROOT, ", %.2f may be the CE's clocks", uncertain);
    }
}
