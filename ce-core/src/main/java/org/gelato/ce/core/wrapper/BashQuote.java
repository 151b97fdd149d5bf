package org.gelato.ce.core.wrapper;

/** The one function that puts a value into a script. */
public final class BashQuote {
    private BashQuote() {}

    /**
     * Quotes a text so that bash reads it back byte for byte as one word, in UTF-8.
     *
     * @throws IllegalArgumentException for NUL, which no shell word can hold
     */
    public static String quote(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("NUL cannot be passed to a shell");
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
