package org.gelato.ce.core.job;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The wire's job number: nine digits, shown as {@code CREAM012345678} (docs/developer/protocol/cream2-wire.md section 7).
 *
 * @param number 0 to 999 999 999
 */
public record JobId(int number) implements Comparable<JobId> {
    private static final String WIRE = "CREAM";
    private static final int DIGITS = 9;
    private static final String PREFIX = "cream_";
    private static final Pattern TAG = Pattern.compile(PREFIX + "[0-9]{9}");

    /** How many job numbers there are. */
    public static final int SPACE = 1_000_000_000;

    public JobId {
        if (number < 0 || number >= SPACE) {
            throw new IllegalArgumentException("job number out of range: " + number);
        }
    }

    /** Reads {@code CREAMnnnnnnnnn}, or a full job URL that ends in it; empty for anything else, which no job can have. */
    public static Optional<JobId> parse(String text) {
        if (text == null) {
            return Optional.empty();
        }
        int begin = text.lastIndexOf('/') + 1;
        if (text.length() - begin != WIRE.length() + DIGITS || !text.startsWith(WIRE, begin)) {
            return Optional.empty();
        }
        // Clients name thousands in a call; no expression is compiled or matched for each.
        int number = 0;
        for (int i = begin + WIRE.length(); i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return Optional.empty();
            }
            number = 10 * number + digit;
        }
        return Optional.of(new JobId(number));
    }

    /** Parses what {@link #tag()} returns; empty for anything else, null included. */
    public static Optional<JobId> ofTag(String tag) {
        return tag != null && TAG.matcher(tag).matches()
                ? Optional.of(new JobId(Integer.parseInt(tag.substring(PREFIX.length()))))
                : Optional.empty();
    }

    /** Nine digits, zero-padded. */
    public String digits() {
        // A format would take most of the time of writing a message for its readers.
        return Integer.toString(SPACE + number).substring(1);
    }

    /** The LRMS job name, {@code cream_nnnnnnnnn}: how a job is found again in the batch system. */
    public String tag() {
        return PREFIX + digits();
    }

    /** The local id on the wire. */
    @Override
    @JsonValue
    public String toString() {
        return WIRE + digits();
    }

    @Override
    public int compareTo(JobId other) {
        return Integer.compare(number, other.number);
    }
}
