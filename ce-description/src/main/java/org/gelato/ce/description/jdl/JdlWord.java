package org.gelato.ce.description.jdl;

import org.gelato.ce.description.SafeText;

/**
 * A word of a description.
 *
 * @param text as written
 * @param start of its first character in the description
 * @param end behind its last one
 * @param line from 1
 * @param column from 1, in characters
 */
record JdlWord(Kind kind, String text, int start, int end, int line, int column) {
    enum Kind {
        NAME,
        INTEGER,
        REAL,
        STRING,
        /** An operator, a bracket, or what parts others. */
        SYMBOL,
        COMMENT,
        /** A string without an end. */
        OPEN_STRING,
        /** A comment without an end. */
        OPEN_COMMENT,
        /** A character that no word begins with. */
        UNEXPECTED,
        /** Behind the last word. */
        END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** What a string says: a backslash before a quote is no part of it, any other one is. */
    String content() {
        return text.substring(1, text.length() - 1).replace("\\\"", "\"");
    }

    String shown() {
        return kind == Kind.END ? "end" : "'" + SafeText.of(text) + "'";
    }
}
