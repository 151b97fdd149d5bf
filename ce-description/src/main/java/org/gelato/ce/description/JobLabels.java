package org.gelato.ce.description;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the owner of a job finds it by; the CE does nothing else with it. Immutable.
 *
 * @param name null for none
 * @param labels values by name, in the order of the description
 */
public record JobLabels(String name, Map<String, String> labels) {
    /** Of a job without any. */
    public static final JobLabels NONE = new JobLabels(null, Map.of());

    /** Most characters of a name and of a value. */
    public static final int MAX_CHARACTERS = 255;

    /** Of one job. */
    public static final int MAX_LABELS = 16;

    private static final String FORM =
            "NAME=VALUE, the name of 1 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit, the value"
                    + " of at most " + MAX_CHARACTERS + " characters without control characters";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    public JobLabels {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /**
     * Checks what a description says.
     *
     * @param nameAttribute the attribute that names the job
     * @param name null for none
     * @param attribute the attribute with labels
     * @param items {@code NAME=VALUE} each
     */
    public static JobLabels check(String nameAttribute, String name, String attribute, List<String> items)
            throws DescriptionException {
        if (name != null && !isValue(name)) {
            throw new DescriptionException(
                    nameAttribute,
                    "a job's name has at most " + MAX_CHARACTERS + " characters, and no control characters");
        }
        Map<String, String> labels = new LinkedHashMap<>();
        for (String item : items) {
            Map.Entry<String, String> label = read(item)
                    .orElseThrow(() ->
                            new DescriptionException(attribute, SafeText.of(item) + " is no label: write " + FORM));
            if (labels.put(label.getKey(), label.getValue()) != null) {
                throw new DescriptionException(attribute, "the label " + label.getKey() + " is given twice");
            }
        }
        if (labels.size() > MAX_LABELS) {
            throw new DescriptionException(attribute, labels.size() + " labels, at most " + MAX_LABELS);
        }
        return name == null && labels.isEmpty() ? NONE : new JobLabels(name, labels);
    }

    /**
     * The same of a name that is any text for people: it is found by its beginning where it is too long.
     *
     * @param labels each read before
     */
    static JobLabels ofPeople(String name, List<String> labels) throws DescriptionException {
        if (name == null || name.isBlank()) {
            return check("name", null, "labels", labels);
        }
        StringBuilder found = new StringBuilder();
        name.codePoints()
                .limit(MAX_CHARACTERS)
                .forEach(c -> found.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return check("name", found.toString(), "labels", labels);
    }

    /** A label as a description and a request write it; empty for what is none. */
    public static Optional<Map.Entry<String, String>> read(String item) {
        int equals = item.indexOf('=');
        if (equals < 0) {
            return Optional.empty();
        }
        String name = item.substring(0, equals).strip();
        String value = item.substring(equals + 1).strip();
        return isName(name) && isValue(value) ? Optional.of(Map.entry(name, value)) : Optional.empty();
    }

    /** Whether a label may be called so. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private static boolean isValue(String text) {
        return text.codePointCount(0, text.length()) <= MAX_CHARACTERS
                && text.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    }
}
