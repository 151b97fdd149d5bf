package org.gelato.ce.core.message;

import java.time.Instant;
import org.gelato.ce.core.job.JobId;

/**
 * A message of a job, a piece of its output, or what the CE says about them, as it is stored.
 *
 * @param id cursor of readers: larger than that of all that was committed before, over all jobs
 * @param ownerId number of the job's owner, as in {@link org.gelato.ce.core.event.EventFeed#owner}
 * @param number of a message its line in the job's journal, from 1; of a piece of output the offset of its first byte; 0 of a notice
 * @param sent by the worker node's clock
 * @param received by the CE's clock
 * @param key name of what the message is about; null for none
 * @param content of a message UTF-8 without control characters but tab and line feed, at most {@value MessageBatch#MAX_TEXT} bytes;
 *     of output the bytes as they are, which need be no text
 */
public record Message(
        long id,
        JobId job,
        int ownerId,
        Kind kind,
        long number,
        Instant sent,
        Instant received,
        MessageLevel level,
        String key,
        byte[] content) {
    /** What it is; the order is that of the codes in the database. */
    public enum Kind {
        TEXT,
        STDOUT,
        STDERR,
        /** The CE's own, where something was not stored. */
        NOTICE;

        /** The number that stands for it in the database. */
        public int code() {
            return ordinal();
        }

        /** @throws ArrayIndexOutOfBoundsException for a code the database should not hold */
        public static Kind ofCode(int code) {
            return values()[code];
        }
    }
}
