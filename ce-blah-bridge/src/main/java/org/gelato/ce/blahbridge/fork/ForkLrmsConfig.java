package org.gelato.ce.blahbridge.fork;

import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.fault.Messages;

/**
 * How the fork batch system runs; checked here and nowhere else.
 *
 * @param stateDirectory where each job's file is; owned by the JVM's account, made when absent
 * @param slots jobs that run at once, 1 to 10 000
 * @param scanInterval between scans of the process table, 50 ms to 10 s
 * @param killGrace between SIGTERM and SIGKILL of a cancelled job
 * @param keepEnded how long an ended job is still shown
 */
public record ForkLrmsConfig(
        Path stateDirectory, int slots, Duration scanInterval, Duration killGrace, Duration keepEnded) {
    public ForkLrmsConfig {
        if (!stateDirectory.isAbsolute()) {
            throw new IllegalArgumentException(
                    "the directory of the fork batch system must be absolute: " + stateDirectory);
        }
        if (slots < 1 || slots > 10_000) {
            throw new IllegalArgumentException("gelato.lrms.fork.slots must be 1 to 10000: " + slots);
        }
        if (scanInterval.toMillis() < 50 || scanInterval.toMillis() > 10_000) {
            throw new IllegalArgumentException(
                    "scans of fork are 50 ms to 10 s apart, not " + Messages.span(scanInterval));
        }
        if (killGrace.isNegative() || keepEnded.isNegative()) {
            throw new IllegalArgumentException("the times of fork must not be negative");
        }
    }

    /** The usual times: a scan every 300 ms, 5 s of grace, ended jobs shown for an hour. */
    public static ForkLrmsConfig of(Path stateDirectory, int slots) {
        return new ForkLrmsConfig(
                stateDirectory, slots, Duration.ofMillis(300), Duration.ofSeconds(5), Duration.ofHours(1));
    }
}
