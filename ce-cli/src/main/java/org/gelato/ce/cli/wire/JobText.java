package org.gelato.ce.cli.wire;

/**
 * A job description, ready to send.
 *
 * @param text never null
 * @param queue for a description in a language whose text is sent as it is; null when the text alone counts
 */
public record JobText(String text, String queue) {
    /** A description whose text alone counts. */
    public static JobText of(String text) {
        return new JobText(text, null);
    }
}
