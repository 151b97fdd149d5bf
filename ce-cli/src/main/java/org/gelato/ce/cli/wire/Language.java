package org.gelato.ce.cli.wire;

/** The languages of job descriptions, distinguished as a CE does: by the first character that is no blank. */
public enum Language {
    JDL("JDL"),
    ADL("ADL"),
    XRSL("xRSL");

    private final String words;

    Language(String words) {
        this.words = words;
    }

    /** The language of a description; JDL for one that is empty. */
    public static Language of(String text) {
        int first = 0;
        while (first < text.length() && (text.charAt(first) <= ' ' || text.charAt(first) == '\uFEFF')) {
            first++;
        }
        char c = first < text.length() ? text.charAt(first) : '[';
        return switch (c) {
            case '<' -> ADL;
            case '&', '+', '(' -> XRSL;
            default -> JDL;
        };
    }

    /** As it is written. */
    @Override
    public String toString() {
        return words;
    }
}
