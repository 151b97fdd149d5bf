package org.gelato.ce.cli.terminal;

/** Makes text of a server safe for a terminal and for line oriented scripts. */
public final class Printable {
    private Printable() {}

    /** The text on one line: runs of white space become one blank, other control characters a question mark. */
    public static String line(String text) {
        StringBuilder line = new StringBuilder(text.length());
        boolean blank = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c)) {
                blank = line.length() > 0;
                continue;
            }
            if (blank) {
                line.append(' ');
                blank = false;
            }
            line.append(isControl(c) ? '?' : c);
        }
        return line.toString();
    }

    /** The text with its lines kept; control characters other than tab and line end become a question mark. */
    public static String block(String text) {
        StringBuilder block = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            block.append(c != '\n' && c != '\t' && isControl(c) ? '?' : c);
        }
        return block.toString();
    }

    private static boolean isControl(char c) {
        return Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
    }
}
