package org.gelato.ce.ws.push;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a reader of events is: after the event of an id, in the database of a time. On the wire {@code MADE-ID}, MADE in
 * milliseconds since 1970; a plain {@code ID} stands for the database there is.
 *
 * @param made null when the reader did not give it
 */
record EventCursor(Instant made, long id) {
    private static final Pattern FORM = Pattern.compile("(?:([0-9]{1,15})-)?([0-9]{1,18})");

    /** @throws IllegalArgumentException with a text for the client */
    static EventCursor parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "from is no cursor: use the id of the last event that was received, or 0 for all events");
        }
        return new EventCursor(
                m.group(1) == null ? null : Instant.ofEpochMilli(Long.parseLong(m.group(1))),
                Long.parseLong(m.group(2)));
    }

    /** Whether it belongs to a database. */
    boolean isOf(Instant databaseMade) {
        return made == null || made.toEpochMilli() == databaseMade.toEpochMilli();
    }

    static String text(Instant databaseMade, long id) {
        return databaseMade.toEpochMilli() + "-" + id;
    }
}
