package org.gelato.ce.ws.setup;

import java.util.regex.Pattern;

/** Makes texts of the site's files and programs fit for a terminal. */
final class Plain {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private Plain() {}

    /** The text without control characters, cut to a length. */
    static String text(String text, int length) {
        String plain = CONTROL.matcher(text).replaceAll(" ").strip();
        return plain.length() <= length ? plain : plain.substring(0, length) + "...";
    }
}
