package org.gelato.ce.ws.soap;

import java.util.regex.Pattern;
import org.gelato.ce.ws.web.XmlText;

/**
 * Types of elements whose text must be right: a date that is not understood must not
 * read as absent, as a filter without dates means all jobs.
 */
public enum WireType {
    /** ISO-8601 with or without fraction and zone. */
    DATE_TIME("a dateTime such as 2026-01-02T03:04:05.678Z") {
        @Override
        boolean fits(String text) {
            return WireTime.parse(text).isPresent();
        }
    },
    BOOLEAN("true or false") {
        @Override
        boolean fits(String text) {
            return isTrue(text) || text.equals("false") || text.equals("0");
        }
    },
    INT("a whole number of 32 bits") {
        @Override
        boolean fits(String text) {
            if (!DIGITS.matcher(text).matches()) {
                return false;
            }
            long value = Long.parseLong(text);
            return value == (int) value;
        }
    },
    /** As {@link #BOOLEAN}; an empty element stands for the schema's default. */
    DEFAULTED_BOOLEAN(BOOLEAN.expected) {
        @Override
        boolean fits(String text) {
            return text.isEmpty() || BOOLEAN.fits(text);
        }
    },
    /** As {@link #INT}; an empty element stands for the schema's default. */
    DEFAULTED_INT(INT.expected) {
        @Override
        boolean fits(String text) {
            return text.isEmpty() || INT.fits(text);
        }
    };

    private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]{1,11}");

    private final String expected;

    WireType(String expected) {
        this.expected = expected;
    }

    abstract boolean fits(String text);

    /** Checks an element's text without the blanks around it, which XML Schema cuts. */
    void check(String element, String text) throws RequestRefused {
        if (!fits(text)) {
            throw new RequestRefused(element + " must be " + expected + " but is \"" + XmlText.shorten(text) + "\"");
        }
    }

    /** What a checked text of {@link #BOOLEAN} says. */
    public static boolean isTrue(String text) {
        return text.equals("true") || text.equals("1");
    }
}
