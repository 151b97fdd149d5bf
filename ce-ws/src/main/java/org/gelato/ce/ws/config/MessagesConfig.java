package org.gelato.ce.ws.config;

import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.wrapper.MessageSettings;

/**
 * Messages and live output of running jobs (docs/user/live.md).
 *
 * @param job how much one job may send
 * @param bytesPerOwner of the messages and output that are stored of one owner's jobs
 */
public record MessagesConfig(
        @Key(Key.BESIDE) MessageSettings job,
        @Key(min = "64 KiB", max = "1 TiB") long bytesPerOwner) {
    static MessagesConfig read(Binder r) {
        MessagesConfig messages = r.read("gelato.messages", MessagesConfig.class);
        long one = messages.job.bytesPerJob() + messages.job.outputPerJob();
        if (messages.job.isOn() && messages.bytesPerOwner < one) {
            r.refuse(
                    "gelato.messages.bytes-per-owner",
                    "enough for one job: bytes-per-job and output-per-job together are " + one + " bytes");
        }
        return messages;
    }
}
