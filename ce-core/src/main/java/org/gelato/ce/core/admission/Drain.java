package org.gelato.ce.core.admission;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A part of the CE that gets no new jobs.
 *
 * @param name of the queue or VO; null for the whole CE
 * @param reason null for none
 * @param by who closed it, RFC 2253
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Drain(Part part, String name, String reason, String by, Instant since) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:@+-]{1,255}");

    /** What can be drained. The ordinals are the codes in the database: never reorder them. */
    public enum Part {
        /** The whole CE. */
        ALL,
        QUEUE,
        VO;

        public int code() {
            return ordinal();
        }

        /** @throws ArrayIndexOutOfBoundsException for a code the database should not hold */
        static Part ofCode(int code) {
            return values()[code];
        }
    }

    /** @throws IllegalArgumentException when the text is no name of a queue or VO */
    static void check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of a queue or VO: " + name);
        }
    }

    /** For users, without who it was: {@code queue long is drained since TIME by an administrator: REASON}. */
    public String text() {
        String what = switch (part) {
            case ALL -> "this CE";
            case QUEUE -> "queue " + name;
            case VO -> "VO " + name;
        };
        return what + " is drained since " + since + " by an administrator" + (reason == null ? "" : ": " + reason);
    }
}
