package org.gelato.ce.cli.jdl;

/** The text can't be edited safely; the message starts with line and column. */
public final class JdlSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    JdlSyntaxException(String text, int offset, String message) {
        super(position(text, offset) + message);
    }

    /** {@code line 3, column 5: }, both from 1. */
    static String position(String text, int offset) {
        int line = 1;
        int start = 0;
        for (int i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
            line++;
            start = i + 1;
        }
        return "line " + line + ", column " + (offset - start + 1) + ": ";
    }
}
