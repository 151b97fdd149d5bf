package org.gelato.ce.ws.sandbox;

import java.time.Duration;

/**
 * What transfers may use.
 *
 * @param downloads reading requests at once; each holds a thread
 * @param uploads writing requests at once; each holds a thread and a megabyte
 * @param maxInput bytes of a job's uploaded input
 * @param maxOutput bytes of a job's uploaded output
 * @param maxFiles files of a job on each side
 * @param patience time a transfer may take before its rate counts
 * @param leastRate bytes a second on average after that
 */
public record TransferLimits(
        int downloads, int uploads, long maxInput, long maxOutput, int maxFiles, Duration patience, long leastRate) {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    // A modem's; what is slower is no client but somebody who holds a place.
    private static final long LEAST_RATE = 4 << 10;

    /** With the usual patience. */
    public TransferLimits(int downloads, int uploads, long maxInput, long maxOutput, int maxFiles) {
        this(downloads, uploads, maxInput, maxOutput, maxFiles, PATIENCE, LEAST_RATE);
    }

    Pace pace() {
        return new Pace(new Pace.Slowest(patience, leastRate), System::nanoTime);
    }
}
