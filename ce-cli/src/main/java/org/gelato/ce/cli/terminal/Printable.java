package org.gelato.ce.cli.terminal;

/** Makes text of a server safe for a terminal and for line oriented scripts. */
public final class Printable {
    private Printable() {}

    /** The text on one line: runs of white space become one blank, other control characters a question mark. */
    public static String line(String text) {
        StringBuilder line = new StringBuilder(text.length());
        boolean blank = false;
        for (int c : text.codePoints().toArray()) {
            if (Character.isWhitespace(c)) {
                blank = line.length() > 0;
                continue;
            }
            if (blank) {
                line.append(' ');
                blank = false;
            }
            line.appendCodePoint(isControl(c) ? '?' : c);
        }
        return line.toString();
    }

    /** The text with its lines kept; control characters other than tab and line end become a question mark. */
    public static String block(String text) {
        StringBuilder block = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c != '\n' && c != '\t' && isControl(c) ? '?' : c)
                .forEach(block::appendCodePoint);
        return block.toString();
    }

    /** Those that change what others look like or where they stand, ends of lines and halves of characters among them. */
    private static boolean isControl(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }
}
