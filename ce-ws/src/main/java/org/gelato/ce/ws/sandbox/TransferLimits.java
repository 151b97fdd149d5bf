package org.gelato.ce.ws.sandbox;

import org.gelato.ce.ws.http.Pace;

/**
 * What transfers may use.
 *
 * @param downloads reading requests at once; each holds a thread
 * @param uploads writing requests at once; each holds a thread and a megabyte
 * @param maxInput bytes of a job's uploaded input
 * @param maxOutput bytes of a job's uploaded output
 * @param maxFiles files of a job on each side
 * @param slowest how slowly a client may take a file; how slowly it may send one is the same for all requests
 */
public record TransferLimits(
        int downloads, int uploads, long maxInput, long maxOutput, int maxFiles, Pace.Slowest slowest) {

    /** With the usual patience. */
    public TransferLimits(int downloads, int uploads, long maxInput, long maxOutput, int maxFiles) {
        this(downloads, uploads, maxInput, maxOutput, maxFiles, Pace.Slowest.USUAL);
    }

    Pace pace() {
        return new Pace(slowest, System::nanoTime);
    }
}
