package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where Slurm's jobs are looked up that squeue shows no longer.
 *
 * @param accounting whether sacct is asked
 * @param window how far back sacct is asked
 * @param jobCompletionLog of a site with {@code JobCompType=jobcomp/filetxt}; null when it is not read
 */
public record SlurmHistory(Accounting accounting, Duration window, Path jobCompletionLog) {
    /** Whether sacct is asked. */
    public enum Accounting {
        AUTO,
        YES,
        NO
    }

    static SlurmHistory read(ConfigReader r) {
        return new SlurmHistory(
                r.choice("gelato.lrms.slurm.accounting", Accounting.class),
                r.duration("gelato.lrms.slurm.history-window", Duration.ofMinutes(1), Duration.ofDays(365)),
                r.optionalPath("gelato.lrms.slurm.job-completion-log"));
    }
}
