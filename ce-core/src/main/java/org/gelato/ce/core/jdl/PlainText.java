package org.gelato.ce.core.jdl;

/**
 * Values end up in scripts, file names and batch systems: control characters other than tab and newline have no place
 * there, nor has half a surrogate pair, which is no character in any encoding.
 */
final class PlainText {
    private PlainText() {}

    /** @return the text */
    static String check(String attribute, String text) throws JdlException {
        for (int c : text.codePoints().toArray()) {
            if (Character.isISOControl(c) && c != '\t' && c != '\n') {
                throw new JdlException(
                        attribute + ": " + String.format("control character U+%04X", c) + " not allowed");
            }
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw new JdlException(
                        attribute + ": " + String.format("half of a surrogate pair, U+%04X,", c) + " not allowed");
            }
        }
        return text;
    }
}
