package org.gelato.ce.cli.jdl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Finds the attributes at the top of a JDL text and where they stand, without judging their values: that is the CE's part. Knows just
 * what can hide a bracket or a semicolon: strings and the three kinds of comment (docs/developer/protocol/jdl.md section 1).
 */
final class JdlScanner {
    private final String text;
    private final List<Attribute> attributes = new ArrayList<>();
    private final Deque<Integer> open = new ArrayDeque<>();
    private int pos;
    private boolean lineIsBlankSoFar = true;

    private int topDepth;
    private int statementStart = -1;
    private int equalsSign = -1;
    private int lastSignificant = -1;
    private int closing = -1;
    private int begin = -1;

    private JdlScanner(String text) {
        this.text = text;
    }

    /**
     * An attribute at the top.
     *
     * @param name as written, without blanks around it
     * @param start offset of the name's first character
     * @param valueStart offset after the equals sign
     * @param end offset after the value's last character
     * @param stop offset after the semicolon, or {@code end} when there is none
     */
    record Attribute(String name, int start, int valueStart, int end, int stop) {}

    /**
     * What was found.
     *
     * @param insertAt offset after the last significant character of the record's content: before any comment that ends the text
     * @param needsSemicolon whether an attribute put there must be parted from the one before
     * @param begin offset of the first significant character; -1 without one
     * @param isRecord whether brackets are around it all
     */
    record Layout(List<Attribute> attributes, int insertAt, boolean needsSemicolon, int begin, boolean isRecord) {}

    static Layout scan(String text) throws JdlSyntaxException {
        return new JdlScanner(text).run();
    }

    private Layout run() throws JdlSyntaxException {
        while (skipBlankAndComments()) {
            char c = text.charAt(pos);
            if (closing >= 0) {
                throw error(pos, "text after the closing ']'");
            }
            begin = begin < 0 ? pos : begin;
            significant(c);
            lineIsBlankSoFar = false;
        }
        if (!open.isEmpty()) {
            throw error(open.peek(), "'" + text.charAt(open.peek()) + "' is never closed");
        }
        if (closing < 0) {
            endStatement(text.length(), text.length());
        }
        int insertAt = lastSignificant + 1;
        boolean bare =
                lastSignificant < 0 || text.charAt(lastSignificant) == ';' || (topDepth == 1 && attributes.isEmpty());
        return new Layout(List.copyOf(attributes), insertAt, !bare, begin, topDepth == 1);
    }

    private void significant(char c) throws JdlSyntaxException {
        int at = pos;
        boolean first = lastSignificant < 0;
        switch (c) {
            case '"' -> skipString();
            case '[', '{', '(' -> {
                if (c == '[' && first) {
                    topDepth = 1;
                }
                open.push(at);
                pos++;
            }
            case ']', '}', ')' -> {
                close(c, at);
                pos++;
                if (topDepth == 1 && open.isEmpty()) {
                    endStatement(at, at);
                    closing = at;
                    return;
                }
            }
            case ';' -> {
                pos++;
                if (open.size() == topDepth) {
                    lastSignificant = at;
                    endStatement(at, pos);
                    return;
                }
            }
            case '=' -> {
                pos++;
                if (open.size() == topDepth && equalsSign < 0 && statementStart >= 0) {
                    equalsSign = at;
                }
            }
            default -> pos++;
        }
        boolean opensRecord = topDepth == 1 && first && c == '[';
        if (statementStart < 0 && !opensRecord) {
            statementStart = at;
        }
        lastSignificant = pos - 1;
    }

    private void close(char c, int at) throws JdlSyntaxException {
        char opener = c == ']' ? '[' : c == '}' ? '{' : '(';
        if (open.isEmpty()) {
            throw error(at, "'" + c + "' closes nothing");
        }
        char last = text.charAt(open.peek());
        if (last != opener) {
            throw error(at, "'" + c + "' does not close the '" + last + "' before it");
        }
        open.pop();
    }

    private void endStatement(int end, int stop) {
        if (statementStart >= 0 && equalsSign >= 0) {
            String name = text.substring(statementStart, equalsSign).strip();
            attributes.add(new Attribute(name, statementStart, equalsSign + 1, end, stop));
        }
        statementStart = -1;
        equalsSign = -1;
    }

    /** Only {@code \"} is an escape: any other backslash stands for itself. */
    private void skipString() throws JdlSyntaxException {
        int start = pos++;
        while (pos < text.length()) {
            char c = text.charAt(pos);
            if (c == '\\' && pos + 1 < text.length() && text.charAt(pos + 1) == '"') {
                pos += 2;
                continue;
            }
            pos++;
            if (c == '"') {
                return;
            }
        }
        throw error(start, "the string that starts here is never closed");
    }

    /** Moves to the next character that counts. @return whether there is one */
    private boolean skipBlankAndComments() throws JdlSyntaxException {
        while (pos < text.length()) {
            char c = text.charAt(pos);
            if (c == '\n') {
                lineIsBlankSoFar = true;
                pos++;
            } else if (Character.isWhitespace(c)) {
                pos++;
            } else if ((c == '#' && lineIsBlankSoFar) || text.startsWith("//", pos)) {
                int end = text.indexOf('\n', pos);
                pos = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", pos)) {
                int end = text.indexOf("*/", pos + 2);
                if (end < 0) {
                    throw error(pos, "the comment that starts here is never closed");
                }
                pos = end + 2;
            } else {
                return true;
            }
        }
        return false;
    }

    private JdlSyntaxException error(int offset, String message) {
        return new JdlSyntaxException(text, offset, message);
    }
}
