package org.gelato.ce.core.description;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The languages this CE reads. Immutable. */
public final class Languages {
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
        return language.read(text, new WordBudget());
    }
}
