package org.gelato.ce.ws.config;

import org.gelato.ce.core.wrapper.MessageSettings;

/**
 * Messages and live output of running jobs (docs/user/live.md).
 *
 * @param job how much one job may send
 * @param bytesPerOwner of the messages and output that are stored of one owner's jobs
 */
public record MessagesConfig(MessageSettings job, long bytesPerOwner) {
    private static final String BLOCK = "gelato.messages.";
    private static final String OWNER = BLOCK + "bytes-per-owner";
    private static final int MOST_MESSAGES = 1_000_000;
    private static final long KIB = 1L << 10;
    private static final long GIB = 1L << 30;
    private static final long TIB = 1L << 40;

    static MessagesConfig read(ConfigReader r) {
        MessageSettings job = new MessageSettings(
                r.number(BLOCK + "per-job", 0, MOST_MESSAGES),
                r.bytes(BLOCK + "bytes-per-job", 64 * KIB, GIB),
                r.bytes(BLOCK + "output-per-job", 0, GIB));
        long owner = r.bytes(OWNER, 64 * KIB, TIB);
        long one = job.bytesPerJob() + job.outputPerJob();
        if (job.isOn() && owner < one) {
            r.refuse(OWNER, "enough for one job: bytes-per-job and output-per-job together are " + one + " bytes");
        }
        return new MessagesConfig(job, owner);
    }
}
