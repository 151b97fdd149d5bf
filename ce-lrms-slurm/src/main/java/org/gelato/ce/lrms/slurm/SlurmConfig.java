package org.gelato.ce.lrms.slurm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
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

    /** The same site, its configuration file named. */
    public SlurmConfig withConfFile(Path file) {
        return changed(values -> values.confFile = file);
    }

    /** The same site with another command timeout. */
    public SlurmConfig withCommandTimeout(Duration timeout) {
        return changed(values -> values.commandTimeout = timeout);
    }

    /** The same site, sacct queried or not. */
    public SlurmConfig withAccounting(Accounting choice) {
        return changed(values -> values.accounting = choice);
    }

    /** The same site with a job completion log, null for none. */
    public SlurmConfig withJobCompletionLog(Path log) {
        return changed(values -> values.jobCompletionLog = log);
    }

    /** The same site, whose worker nodes do not see the sandboxes. */
    public SlurmConfig withNodeOutput(String output) {
        return changed(values -> values.nodeOutput = output);
    }

    /** The same site with a script for submissions, null for none. */
    public SlurmConfig withSubmitAttributes(Path script) {
        return changed(values -> values.submitAttributes = script);
    }

    /** The same site, reached in another way. */
    public SlurmConfig withApi(Api choice) {
        return changed(values -> values.api = choice);
    }

    /** The same site with slurmrestd in another place. */
    public SlurmConfig withRestDaemon(Path program) {
        return changed(values -> values.restDaemon = program);
    }

    /** The same site, which lets the CE suspend running jobs, or not. */
    public SlurmConfig withSuspendRunning(boolean allowed) {
        return changed(values -> values.suspendRunning = allowed);
    }

    private SlurmConfig changed(Consumer<Values> change) {
        Values values = new Values(this);
        change.accept(values);
        return values.config();
    }

    /** The fields while one of them changes. */
    private static final class Values {
        private Path binDirectory;
        private Path confFile;
        private Duration commandTimeout;
        private Accounting accounting;
        private Duration historyWindow;
        private Path jobCompletionLog;
        private Api api;
        private Path restDaemon;
        private boolean suspendRunning;
        private String nodeOutput;
        private Path submitAttributes;

        Values(SlurmConfig config) {
            binDirectory = config.binDirectory;
            confFile = config.confFile;
            commandTimeout = config.commandTimeout;
            accounting = config.accounting;
            historyWindow = config.historyWindow;
            jobCompletionLog = config.jobCompletionLog;
            api = config.api;
            restDaemon = config.restDaemon;
            suspendRunning = config.suspendRunning;
            nodeOutput = config.nodeOutput;
            submitAttributes = config.submitAttributes;
        }

        SlurmConfig config() {
            return new SlurmConfig(
                    binDirectory,
                    confFile,
                    commandTimeout,
                    accounting,
                    historyWindow,
                    jobCompletionLog,
                    api,
                    restDaemon,
                    suspendRunning,
                    nodeOutput,
                    submitAttributes);
        }
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
