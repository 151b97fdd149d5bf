package org.gelato.ce.cli.wire;

import org.gelato.ce.description.Languages;

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
        int first = Languages.beginning(text);
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
