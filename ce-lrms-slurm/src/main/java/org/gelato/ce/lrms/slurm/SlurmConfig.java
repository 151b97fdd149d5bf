package org.gelato.ce.lrms.slurm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.gelato.ce.core.lrms.command.CommandSite;
import org.gelato.ce.core.text.Words;

/**
 * How to reach a site's Slurm.
 *
 * @param binDirectory where sbatch, squeue, scancel, scontrol and sacct lie; absolute
 * @param confFile value of {@code SLURM_CONF} for commands and jobs; null where Slurm finds its configuration itself
 * @param commandTimeout after which a command is killed; at least a second. Slurm itself waits MessageTimeout for a
 *     silent controller; a smaller value here makes more submissions unclear
 * @param accounting whether to query sacct for ended jobs that squeue no longer shows
 * @param historyWindow how far back sacct is queried; at least a minute
 * @param jobCompletionLog {@code JobCompLoc} of a site with {@code JobCompType=jobcomp/filetxt}; null for none
 * @param api how jobs are handed over, cancelled, held and released
 * @param restDaemon the program slurmrestd; absolute
 * @param suspendRunning whether the helper's own account suspends jobs that run; it must be an operator of Slurm's, or root
 * @param nodeOutput file on worker nodes for what wrappers print, with Slurm's patterns, where the nodes do not see the
 *     sandboxes; null where they do, and it goes there
 * @param submitAttributes the site's {@code slurm_local_submit_attributes.sh}; null for none
 */
public record SlurmConfig(
        Path binDirectory,
        Path confFile,
        Duration commandTimeout,
        Accounting accounting,
        Duration historyWindow,
        Path jobCompletionLog,
        Api api,
        Path restDaemon,
        boolean suspendRunning,
        String nodeOutput,
        Path submitAttributes) {
    /** Slurm as the distributions install it. */
    public static final SlurmConfig DEFAULT = new SlurmConfig(
            Path.of("/usr/bin"),
            null,
            Duration.ofSeconds(60),
            Accounting.AUTO,
            Duration.ofDays(30),
            null,
            Api.AUTO,
            Path.of("/usr/sbin/slurmrestd"),
            false,
            null,
            null);

    /** Whether sacct is queried. */
    public enum Accounting {
        /** It is; where it reports that accounting storage is disabled, the other sources decide. */
        AUTO,
        /** It is; where it reports so, nothing is known about jobs that squeue does not show. */
        YES,
        /** Never use slurmrestd. */
        NO
    }

    /** What hands jobs over, cancels, holds and releases them; listing and look-up are by squeue always. */
    public enum Api {
        /** slurmrestd where it can be used, else the commands. */
        AUTO,
        /** Use slurmrestd alone, and fail without it. */
        REST,
        /** sbatch, scancel and scontrol. */
        COMMANDS
    }

    public SlurmConfig {
        absolute("slurmrestd", restDaemon);
        absolute("bin directory", binDirectory);
        if (confFile != null) {
            absolute("configuration file", confFile);
        }
        if (jobCompletionLog != null) {
            absolute("job completion log", jobCompletionLog);
        }
        if (submitAttributes != null) {
            absolute("submit attributes", submitAttributes);
        }
        atLeast("command timeout", commandTimeout, Duration.ofSeconds(1));
        atLeast("history window", historyWindow, Duration.ofMinutes(1));
    }

    /** How its commands are called; a job inherits their variables through sbatch. */
    CommandSite site() {
        return new CommandSite(
                binDirectory, confFile == null ? Map.of() : Map.of("SLURM_CONF", confFile.toString()), commandTimeout);
    }

    private static void absolute(String name, Path path) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("Slurm's " + name + " must be an absolute path: " + path);
        }
    }

    private static void atLeast(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    "Slurm's " + name + " must be at least " + Words.span(least) + ": " + Words.span(value));
        }
    }
}
