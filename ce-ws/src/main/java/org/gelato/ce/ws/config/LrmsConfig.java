package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.command.HandOverLimits;

/**
 * The batch system.
 *
 * @param kind which one
 * @param queues queues or partitions that may be used; never empty, the first is the default
 * @param pollInterval time between two polls
 * @param commandTimeout after which one of its commands is killed
 * @param handOver bounds for what it is given at once
 * @param forkSlots jobs that run at once on this host
 * @param slurmBinDirectory where sbatch and its kin are
 * @param slurmConf path of slurm.conf; null for Slurm's own default
 * @param slurmNodeOutput file on worker nodes for what wrappers print where the sandboxes are not shared
 * @param slurmHistory where Slurm's ended jobs are looked up
 * @param torque what counts for Torque alone
 * @param blahp a site's own blahpd; null for the other kinds
 */
public record LrmsConfig(
        Kind kind,
        List<String> queues,
        Duration pollInterval,
        Duration commandTimeout,
        HandOverLimits handOver,
        int forkSlots,
        Path slurmBinDirectory,
        Path slurmConf,
        String slurmNodeOutput,
        SlurmHistory slurmHistory,
        TorqueSettings torque,
        BlahpSettings blahp) {
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final String HAND_OVER = "gelato.lrms.hand-over.";
    private static final Pattern NODE_OUTPUT = Pattern.compile("/[^\\\\\\p{Cntrl}]{0,1000}");

    /** The batch systems there are. */
    public enum Kind {
        FORK,
        SLURM,
        TORQUE,
        BLAHP
    }

    static LrmsConfig read(ConfigReader r) {
        Kind kind = r.choice("gelato.lrms.kind", Kind.class);
        return new LrmsConfig(
                kind,
                r.texts(
                        "gelato.lrms.queues",
                        QUEUE,
                        "a list of different queue names of letters, digits, dots, dashes and underscores"),
                r.duration("gelato.lrms.poll-interval", Duration.ofSeconds(1), Duration.ofHours(1)),
                r.duration("gelato.lrms.command-timeout", Duration.ofSeconds(1), Duration.ofHours(1)),
                handOver(r),
                r.number("gelato.lrms.fork.slots", 1, 10_000),
                r.path("gelato.lrms.slurm.bin-directory"),
                r.optionalPath("gelato.lrms.slurm.conf"),
                nodeOutput(r),
                SlurmHistory.read(r),
                TorqueSettings.read(r),
                kind == Kind.BLAHP ? BlahpSettings.read(r) : null);
    }

    private static HandOverLimits handOver(ConfigReader r) {
        return new HandOverLimits(
                r.number(HAND_OVER + "most-at-once", 1, 100),
                r.duration(HAND_OVER + "slowest-answer", Duration.ofMillis(100), Duration.ofHours(1)),
                r.number(HAND_OVER + "most-faults", 0, 100),
                r.number(HAND_OVER + "most-queued", -1, 1_000_000_000),
                r.duration(HAND_OVER + "probe-interval", Duration.ofMillis(100), Duration.ofHours(1)));
    }

    private static String nodeOutput(ConfigReader r) {
        String file =
                r.text("gelato.lrms.slurm.node-output", NODE_OUTPUT, "empty or an absolute path without backslash");
        return file.isEmpty() ? "/dev/null" : file;
    }
}
