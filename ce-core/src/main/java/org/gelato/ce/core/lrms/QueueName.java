package org.gelato.ce.core.lrms;

import java.util.regex.Pattern;

/** Names of queues as options take them. Pure. */
public final class QueueName {
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}");

    private QueueName() {}

    /**
     * Checks the queue of a submission.
     *
     * @param word what the batch system calls a queue
     * @throws IllegalArgumentException with a message for the user when there can be none of that name
     */
    public static void check(Submission submission, String word) {
        if (!VALID.matcher(submission.queue()).matches()) {
            throw new IllegalArgumentException("no such " + word + ": '" + submission.queue() + "'");
        }
    }
}
