package org.gelato.ce.ws.push;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.ws.web.Parameters;

/**
 * Where a reader of events or messages is: after the one of an id, in the database of a time. On the wire {@code MADE-ID}, MADE in
 * milliseconds since 1970; a plain {@code ID} stands for the database there is.
 *
 * @param made null when the reader did not give it
 */
public record EventCursor(Instant made, long id) {
    private static final Pattern FORM = Pattern.compile("(?:([0-9]{1,15})-)?([0-9]{1,18})");

    /**
     * @param parameter of the request, for the text
     * @throws IllegalArgumentException with a text for the client
     */
    public static EventCursor parse(String parameter, String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    parameter + " is no cursor: use the last one that was received, or 0 for all there is");
        }
        return new EventCursor(
                m.group(1) == null ? null : Instant.ofEpochMilli(Long.parseLong(m.group(1))),
                Long.parseLong(m.group(2)));
    }

    /**
     * The cursor of a request: the header {@code Last-Event-ID}, as browsers repeat it, or else the parameter.
     *
     * @return null when there is neither
     * @throws IllegalArgumentException with a text for the client
     */
    public static EventCursor of(HttpServletRequest request, String parameter) {
        String last = request.getHeader("Last-Event-ID");
        String text = last == null || last.isBlank() ? Parameters.single(request, parameter) : last.strip();
        return text == null ? null : parse(parameter, text);
    }

    /** Whether it belongs to a database. */
    public boolean isOf(Instant databaseMade) {
        return made == null || made.toEpochMilli() == databaseMade.toEpochMilli();
    }

    public static String text(Instant databaseMade, long id) {
        return databaseMade.toEpochMilli() + "-" + id;
    }
}
