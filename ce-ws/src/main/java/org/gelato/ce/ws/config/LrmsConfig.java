package org.gelato.ce.ws.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.blahbridge.blahp.BlahpConfig;
import org.gelato.ce.core.command.HandOverLimits;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.torque.TorqueConfig;

/**
 * The batch system.
 *
 * @param kind which one
 * @param queues queues or partitions that may be used; never empty, the first is the default
 * @param pollInterval time between two polls
 * @param commandTimeout after which one of its commands is killed
 * @param handOver bounds for what it is given at once
 * @param forkSlots jobs that run at once on this host
 * @param slurm how Slurm is reached
 * @param torque how Torque is reached
 * @param blahp a site's own blahpd; null for the other kinds
 */
public record LrmsConfig(
        Kind kind,
        List<String> queues,
        Duration pollInterval,
        Duration commandTimeout,
        HandOverLimits handOver,
        int forkSlots,
        SlurmConfig slurm,
        TorqueConfig torque,
        BlahpConfig blahp) {
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final String HAND_OVER = "gelato.lrms.hand-over.";

    /** The batch systems there are. */
    public enum Kind {
        FORK,
        SLURM,
        TORQUE,
        BLAHP
    }

    /** @param shared whether worker nodes see the sandboxes */
    static LrmsConfig read(ConfigReader r, boolean shared) {
        Kind kind = r.choice("gelato.lrms.kind", Kind.class);
        Duration timeout = r.duration("gelato.lrms.command-timeout", Duration.ofSeconds(1), Duration.ofHours(1));
        SlurmConfig slurm = SlurmKeys.read(r, timeout, shared);
        return new LrmsConfig(
                kind,
                r.texts(
                        "gelato.lrms.queues",
                        QUEUE,
                        "a list of different queue names of letters, digits, dots, dashes and underscores"),
                r.duration("gelato.lrms.poll-interval", Duration.ofSeconds(1), Duration.ofHours(1)),
                timeout,
                handOver(r),
                r.number("gelato.lrms.fork.slots", 1, 10_000),
                slurm,
                TorqueKeys.read(r, timeout, shared, slurm.confFile()),
                kind == Kind.BLAHP ? BlahpKeys.read(r, timeout) : null);
    }

    private static HandOverLimits handOver(ConfigReader r) {
        return new HandOverLimits(
                r.number(HAND_OVER + "most-at-once", 1, 100),
                r.duration(HAND_OVER + "slowest-answer", Duration.ofMillis(100), Duration.ofHours(1)),
                r.number(HAND_OVER + "most-faults", 0, 100),
                r.number(HAND_OVER + "most-queued", -1, 1_000_000_000),
                r.duration(HAND_OVER + "probe-interval", Duration.ofMillis(100), Duration.ofHours(1)));
    }
}
