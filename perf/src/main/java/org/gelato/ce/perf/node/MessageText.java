package org.gelato.ce.perf.node;

/** The beginning of each message, which names its job and its number. Pure. */
public final class MessageText {
    private MessageText() {}

    static String of(int job, long number) {
        return "job " + job + " message " + number + " ";
    }

    /** Whether a text is that of a message. */
    public static boolean is(String text, int job, long number) {
        return text.startsWith(of(job, number));
    }
}
