package org.gelato.ce.ws.dashboard;

import java.util.regex.Pattern;

/** Texts of other programs, such as an error of the batch system, made fit for a page: one paragraph without rulers. */
final class Foreign {
    private static final int LONGEST = 600;

    /** Lines that programs draw of signs. */
    private static final Pattern RULER = Pattern.compile("([^\\p{L}\\p{N}\\s])\\1{3,}");

    private static final Pattern BLANK = Pattern.compile("[\\s\\p{Cntrl}]+");

    private Foreign() {}

    /** Null for null. */
    static String text(String text) {
        if (text == null) {
            return null;
        }
        String plain = BLANK.matcher(RULER.matcher(text).replaceAll(" "))
                .replaceAll(" ")
                .strip();
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + " …" : plain;
    }
}
