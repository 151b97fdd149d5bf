package org.gelato.ce.core.message;

import org.gelato.ce.core.wrapper.MessageSettings;

/**
 * How much is stored.
 *
 * @param job of one job
 * @param bytesPerOwner of messages and output of all jobs of an owner together
 */
public record MessageQuota(MessageSettings job, long bytesPerOwner) {
    /** A quota with which nothing is stored. */
    public static final MessageQuota NONE = new MessageQuota(MessageSettings.NONE, 0);
}
