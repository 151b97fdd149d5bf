package org.gelato.ce.it.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Messages as a client got them, in the order in which they came.
 *
 * @param next the number after which the next page begins
 * @param more whether there is more now
 * @param complete whether the one job has ended and sends no more; false for the messages of all jobs
 */
record MessagePage(List<Seen> messages, long next, boolean more, boolean complete) {
    static final MessagePage EMPTY = new MessagePage(List.of(), 0, false, false);

    /**
     * A message of a job, not one of the CE itself.
     *
     * @param id its place among all messages
     * @param job local id
     * @param number its place among those of its job
     */
    record Seen(long id, String job, int number, String text) {}

    MessagePage {
        messages = List.copyOf(messages);
    }

    /** The messages of one job. */
    MessagePage only(String job) {
        return new MessagePage(
                messages.stream().filter(m -> m.job().equals(job)).toList(), next, more, complete);
    }

    @Override
    public String toString() {
        return messages.stream()
                        .map(m -> m.id() + ":" + m.job() + ":" + m.number())
                        .collect(Collectors.joining(" ")) + " next " + next + (more ? " more" : "")
                + (complete ? " complete" : "");
    }
}
