package org.gelato.ce.ws.sandbox;

/**
 * What transfers may use.
 *
 * @param downloads reading requests at once; each holds a megabyte
 * @param uploads writing requests at once; each holds a megabyte
 * @param maxInput bytes of a job's uploaded input
 * @param maxOutput bytes of a job's uploaded output
 * @param maxFiles files of a job on each side
 */
public record TransferLimits(int downloads, int uploads, long maxInput, long maxOutput, int maxFiles) {}
