package org.gelato.ce.description;

/** Shows a piece of hostile text in an error: short, and without characters that a fault could not carry. */
public final class SafeText {
    private static final int MAX = 200;

    private SafeText() {}

    public static String of(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(MAX).forEach(c -> shown.appendCodePoint(presentable(c) ? c : '?'));
        return text.codePointCount(0, text.length()) > MAX ? shown + "..." : shown.toString();
    }

    private static boolean presentable(int c) {
        boolean surrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return !Character.isISOControl(c) && !surrogate && c != 0xFFFE && c != 0xFFFF;
    }
}
