package org.gelato.ce.ws.sandbox;

/**
 * What transfers may use.
 *
 * @param downloads reading requests at once; each holds a megabyte
 * @param uploads writing requests at once; each holds a megabyte
 * @param maxInput bytes of a job's uploaded input
 * @param maxOutput bytes of a job's uploaded output
 * @param maxOfUser bytes of all uploads of one user that are stored; 0 for a quarter of the file system
 * @param maxFiles files of a job on each side
 */
public record TransferLimits(int downloads, int uploads, long maxInput, long maxOutput, long maxOfUser, int maxFiles) {}
