package org.gelato.ce.description.jdl;

import org.gelato.ce.description.DescriptionException;

/** Values end up in scripts, file names and batch systems: control characters other than tab and newline have no place there. */
final class PlainText {
    private PlainText() {}

    /** @return the text */
    static String check(String attribute, String text) throws DescriptionException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) && c != '\t' && c != '\n') {
                throw new DescriptionException(
                        attribute, String.format("control character U+%04X", (int) c) + " not allowed");
            }
        }
        return text;
    }
}
