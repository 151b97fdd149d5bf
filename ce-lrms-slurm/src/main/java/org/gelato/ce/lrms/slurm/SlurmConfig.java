package org.gelato.ce.lrms.slurm;

import java.nio.file.Path;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.lrms.command.CommandSettings;
import org.gelato.ce.core.lrms.command.CommandSite;

/**
 * How to reach a site's Slurm.
 *
 * @param commands sbatch, squeue, scancel, scontrol and sacct. Slurm itself waits MessageTimeout for a silent controller; a smaller
 *     timeout here makes more submissions unclear
 * @param confFile value of {@code SLURM_CONF} for commands and jobs; null where Slurm finds its configuration itself
 * @param accounting whether to query sacct for ended jobs that squeue no longer shows
 * @param jobCompletionLog {@code JobCompLoc} of a site with {@code JobCompType=jobcomp/filetxt}; null for none
 * @param api how jobs are handed over, cancelled, held and released
 * @param restDaemon the program slurmrestd; absolute
 * @param suspendRunning whether the helper's own account suspends jobs that run; it must be an operator of Slurm's, or root
 * @param nodeOutput file on worker nodes for what wrappers print, with Slurm's patterns, where the nodes do not see the sandboxes; empty
 *     where it is discarded
 */
public record SlurmConfig(
        @Key(Key.BESIDE) CommandSettings commands,
        @Key(value = "conf", optional = true) Path confFile,
        @Key Accounting accounting,
        @Key(optional = true) Path jobCompletionLog,
        @Key Api api,
        @Key("slurmrestd") Path restDaemon,
        @Key boolean suspendRunning,

        @Key(
                form = "/[^\\\\\\p{Cntrl}]{0,1000}",
                accepted = "empty or an absolute path without backslash",
                optional = true)
        String nodeOutput) {
    /** Slurm as the distributions install it. */
    public static final SlurmConfig DEFAULT = new SlurmConfig(
            CommandSettings.DEFAULT, null, Accounting.AUTO, null, Api.AUTO, Path.of("/usr/sbin/slurmrestd"), false, "");

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

    /** How its commands are called; a job inherits their variables through sbatch. */
    CommandSite site() {
        return commands.site("SLURM_CONF", confFile);
    }

    /** File for what wrappers print; null for one in the sandbox. */
    String wrapperOutput() {
        String outputOnNode = nodeOutput.isEmpty() ? "/dev/null" : nodeOutput;
        return commands.nodesSeeSandboxes() ? null : outputOnNode;
    }
}
