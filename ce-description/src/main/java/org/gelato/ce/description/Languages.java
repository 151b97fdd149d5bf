package org.gelato.ce.description;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The languages this CE reads. Immutable. */
public final class Languages {
    /** What editors put before a text; counts as a blank. */
    public static final char BYTE_ORDER_MARK = '\uFEFF';

    private final Map<Integer, DescriptionLanguage> byCode;

    /** @throws IllegalStateException when two have the same number */
    public Languages(Collection<DescriptionLanguage> languages) {
        byCode = languages.stream()
                .collect(Collectors.toUnmodifiableMap(DescriptionLanguage::code, Function.identity()));
    }

    /**
     * Reads a stored description.
     *
     * @throws DescriptionException also when no language of this CE has the number: a newer version stored it
     */
    public JobRequest read(int code, String text) throws DescriptionException {
        DescriptionLanguage language = byCode.get(code);
        if (language == null) {
            throw new DescriptionException(
                    "the description is in language " + code + ", which this version cannot read");
        }
        return language.read(text, ReadingBudget.UNBOUNDED);
    }

    /**
     * The language of a text, by its first character that is no blank.
     *
     * @throws DescriptionException naming the accepted characters
     */
    public DescriptionLanguage detect(String text) throws DescriptionException {
        int first = beginning(text);
        if (first == text.length()) {
            throw new DescriptionException("no job description is given");
        }
        for (DescriptionLanguage language : byCode.values()) {
            if (language.beginnings().indexOf(text.charAt(first)) >= 0) {
                return language;
            }
        }
        String accepted = byCode.values().stream()
                .map(DescriptionLanguage::beginnings)
                .flatMap(beginnings -> beginnings.chars().mapToObj(Character::toString))
                .sorted()
                .collect(Collectors.joining(" "));
        throw new DescriptionException("a job description begins with one of " + accepted + ", not with "
                + SafeText.of(Character.toString(text.codePointAt(first))));
    }

    /** The place of the first character that is no blank; the text's length when there is none. */
    public static int beginning(String text) {
        int first = 0;
        while (first < text.length() && isBlank(text.charAt(first))) {
            first++;
        }
        return first;
    }

    /** Whether a character may stand before a description without being a part of it. */
    public static boolean isBlank(char c) {
        return c <= ' ' || c == BYTE_ORDER_MARK;
    }
}
