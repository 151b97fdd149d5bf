package org.gelato.ce.description.jdl;

import java.util.List;
import org.gelato.ce.description.Languages;

/** Cuts a description into words (docs/developer/protocol/jdl.md section 1), in linear time. One instance per text; not thread-safe. */
final class JdlLexer {
    private static final List<String> LONG_SYMBOLS = List.of("=?=", "=!=", "==", "!=", "<=", ">=", "&&", "||");
    private static final String SYMBOLS = "[]{}();,.<>=!+-*/%?:";
    private static final char NONE = 0;

    private final String text;
    private int at;
    /** Of the character at {@code placed}. */
    private int line = 1;

    private int column = 1;
    private int placed;

    JdlLexer(String text) {
        this.text = text;
    }

    /** The next word, also a comment; behind the last one the end, over and over. */
    JdlWord next() {
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
        for (; placed < at; placed++) {
            if (text.charAt(placed) == '\n') {
                line++;
                column = 1;
            } else if (!Character.isLowSurrogate(text.charAt(placed))) {
                column++;
            }
        }
        int start = at;
        JdlWord.Kind kind = word();
        return new JdlWord(kind, text.substring(start, at), start, at, line, column);
    }

    private JdlWord.Kind word() {
        char c = ahead(0);
        if (at == text.length()) {
            return JdlWord.Kind.END;
        }
        if (c == '"') {
            return string();
        }
        if (isLetter(c)) {
            while (isLetter(ahead(0)) || isDigit(ahead(0))) {
                at++;
            }
            return JdlWord.Kind.NAME;
        }
        if (isDigit(c) || (c == '.' && isDigit(ahead(1)))) {
            return number();
        }
        if (text.startsWith("/*", at)) {
            int end = text.indexOf("*/", at + 2);
            at = end < 0 ? text.length() : end + 2;
            return end < 0 ? JdlWord.Kind.OPEN_COMMENT : JdlWord.Kind.COMMENT;
        }
        if (text.startsWith("//", at) || (c == '#' && !touchesAWord())) {
            while (at < text.length() && ahead(0) != '\n' && ahead(0) != '\r') {
                at++;
            }
            return JdlWord.Kind.COMMENT;
        }
        for (String symbol : LONG_SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                return JdlWord.Kind.SYMBOL;
            }
        }
        at += Character.charCount(text.codePointAt(at));
        return SYMBOLS.indexOf(c) < 0 ? JdlWord.Kind.UNEXPECTED : JdlWord.Kind.SYMBOL;
    }

    /** A backslash is an escape only before a quote: of a run of backslashes only the last can be one. */
    private JdlWord.Kind string() {
        for (at++; at < text.length(); at++) {
            if (ahead(0) == '"') {
                at++;
                return JdlWord.Kind.STRING;
            }
            if (ahead(0) == '\\' && ahead(1) == '"') {
                at++;
            }
        }
        at = text.length();
        return JdlWord.Kind.OPEN_STRING;
    }

    private JdlWord.Kind number() {
        JdlWord.Kind kind = JdlWord.Kind.INTEGER;
        digits();
        if (ahead(0) == '.') {
            at++;
            digits();
            kind = JdlWord.Kind.REAL;
        }
        int sign = ahead(1) == '+' || ahead(1) == '-' ? 1 : 0;
        if ((ahead(0) == 'e' || ahead(0) == 'E') && isDigit(ahead(1 + sign))) {
            at += 1 + sign;
            digits();
            kind = JdlWord.Kind.REAL;
        }
        return kind;
    }

    private void digits() {
        while (isDigit(ahead(0))) {
            at++;
        }
    }

    private boolean touchesAWord() {
        return at > 0 && (isLetter(text.charAt(at - 1)) || isDigit(text.charAt(at - 1)));
    }

    private char ahead(int offset) {
        return at + offset < text.length() ? text.charAt(at + offset) : NONE;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == Languages.BYTE_ORDER_MARK;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
