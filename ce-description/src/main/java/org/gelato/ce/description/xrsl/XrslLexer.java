package org.gelato.ce.description.xrsl;

import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Languages;
import org.gelato.ce.description.Place;
import org.gelato.ce.description.SafeText;

/** Cuts a text into words, each looked at once. One instance per text; not thread-safe. */
final class XrslLexer {
    /** Word types beside the characters that stand for themselves. */
    static final char WORD = 'w';

    static final char QUOTED = 'q';
    static final char END = 'e';
    private static final String SPECIAL = "+&|()=<>!\"'^#$";

    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;

    XrslLexer(String text) {
        this.text = text;
    }

    /**
     * @param type a character of the text, L and G for &lt;= and &gt;=, or a type above
     * @param text of a word, without quotes
     * @param joined whether no blank is before it
     * @param start of its first character in the text
     * @param end behind its last one
     */
    record Word(char type, String text, boolean joined, int start, int end, int line, int column) {
        boolean isText() {
            return type == WORD || type == QUOTED;
        }

        DescriptionException refused(String attribute, String reason) {
            DescriptionException e =
                    attribute == null ? new DescriptionException(reason) : new DescriptionException(attribute, reason);
            return Place.in(e, line, column);
        }

        String shown() {
            return type == END ? "the end" : isText() ? "'" + SafeText.of(text) + "'" : "'" + type + "'";
        }
    }

    Word next() throws DescriptionException {
        int before = at;
        skip();
        boolean joined = before == at;
        if (at >= text.length()) {
            return new Word(END, "", false, at, at, line, column(at));
        }
        int start = at;
        int startLine = line;
        int startColumn = column(at);
        char c = text.charAt(at);
        char type = c;
        String value = "";
        if (c == '"' || c == '\'') {
            type = QUOTED;
            at++;
            value = quoted(c, startLine, startColumn);
        } else if (c == '^') {
            if (at + 1 >= text.length()) {
                throw new Word(c, "", joined, at, at, line, startColumn).refused(null, "a quote has no end");
            }
            type = QUOTED;
            at += 2;
            value = quoted(text.charAt(start + 1), startLine, startColumn);
        } else if (SPECIAL.indexOf(c) >= 0) {
            at++;
            if ((c == '<' || c == '>') && at < text.length() && text.charAt(at) == '=') {
                at++;
                type = c == '<' ? 'L' : 'G';
            }
        } else {
            type = WORD;
            while (at < text.length() && !blank(text.charAt(at)) && SPECIAL.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            value = text.substring(start, at);
        }
        return new Word(type, value, joined, start, at, startLine, startColumn);
    }

    private String quoted(char quote, int startLine, int startColumn) throws DescriptionException {
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == quote) {
                at++;
                if (at >= text.length() || text.charAt(at) != quote) {
                    return value.toString();
                }
            }
            value.append(c);
            step();
        }
        throw Place.in(new DescriptionException("the quoted text that begins here has no end"), startLine, startColumn);
    }

    /** Blanks and comments. */
    private void skip() throws DescriptionException {
        while (at < text.length()) {
            if (blank(text.charAt(at))) {
                step();
            } else if (text.startsWith("(*", at)) {
                int startLine = line;
                int startColumn = column(at);
                int end = text.indexOf("*)", at + 2);
                if (end < 0) {
                    throw Place.in(
                            new DescriptionException("the comment that begins here has no end"),
                            startLine,
                            startColumn);
                }
                while (at < end + 2) {
                    step();
                }
            } else {
                return;
            }
        }
    }

    private void step() {
        if (text.charAt(at++) == '\n') {
            line++;
            lineStart = at;
        }
    }

    private int column(int index) {
        return index - lineStart + 1;
    }

    private static boolean blank(char c) {
        return c != 0 && Languages.isBlank(c);
    }
}
