package org.gelato.ce.core.sandbox;

import org.gelato.ce.core.job.JobId;

/**
 * What is stored of uploads, for sides of sandboxes that have much of them. Implementations are thread-safe, and know of a side what was
 * noted last; what was noted of a job goes with it.
 */
public interface UploadedBytes {
    /**
     * What a user has stored.
     *
     * @param whole bytes of all that user's jobs, under every FQAN
     * @param ofSide bytes among them of the side that is asked about
     */
    record Stored(long whole, long ofSide) {}

    /**
     * Reads what a job's owner has stored.
     *
     * @param subject the number of the owner's DN
     * @param output the side: what the job left, or else its input
     */
    Stored stored(JobId job, int subject, boolean output);

    /**
     * Notes what a side of a sandbox has now. Nothing happens when the job is gone.
     *
     * @param bytes 0 or more
     */
    void note(JobId job, int subject, boolean output, long bytes);
}
