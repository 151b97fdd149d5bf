package org.gelato.ce.core.message;

import java.util.List;

/** Takes in what running jobs send. Thread-safe. */
public interface MessageIntake {
    /**
     * Authenticates batches by their job's secret and stores them in one transaction, which calls that come at the same time share.
     * Whoever brings batches removes them only after this returned. A repeated batch changes nothing.
     *
     * @return one answer per batch, in order
     * @throws RuntimeException when nothing was stored, and all must be sent again
     */
    List<Response> apply(List<MessageBatch> batches);

    /**
     * What became of a batch.
     *
     * @param next the number of the message, or the offset of the byte of output, that the CE wants next
     * @param live whether somebody wants the job's live output
     */
    record Response(Result result, long next, boolean live) {}

    /** What may become of a batch. */
    enum Result {
        /** Stored now or before. */
        STORED,
        /** Not stored: messages before its first are missing. To be sent again from {@link Response#next()}. */
        GAP,
        /** Not stored: the quota of the job or of its owner is used up. Not to be sent again. */
        FULL,
        /** No such job, a wrong secret, or what the database never takes. Not to be sent again. */
        REFUSED
    }
}
