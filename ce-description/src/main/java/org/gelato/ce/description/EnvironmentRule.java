package org.gelato.ce.description;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads {@code NAME=value} items. Values reach the job byte for byte: nothing in them is expanded. */
public final class EnvironmentRule {
    /** Names the wrapper uses for itself. */
    static final String RESERVED = "__gelato_";

    /** Warnings of one description; a job shows fewer. */
    static final int MAX_WARNINGS = 100;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private EnvironmentRule() {}

    /** In the order of the list; of one name given twice the last value counts. */
    public static Map<String, String> check(List<String> items, List<String> warnings) throws DescriptionException {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String item : items) {
            int equality = item.indexOf('=');
            if (equality < 0) {
                throw new DescriptionException(
                        "Environment", "wrong item " + SafeText.of(item) + " (equality required)");
            }
            String name = item.substring(0, equality).trim();
            String value = item.substring(equality + 1).trim();
            put(environment, "Environment", name, value, warnings);
        }
        return Collections.unmodifiableMap(environment);
    }

    /** Puts one variable, with a value that is kept as it is. */
    public static void put(
            Map<String, String> environment, String attribute, String name, String value, List<String> warnings)
            throws DescriptionException {
        if (!NAME.matcher(name).matches()) {
            throw new DescriptionException(
                    attribute,
                    SafeText.of(name)
                            + " is no name for a variable (letters, digits and underscore, not beginning with a digit)");
        }
        if (name.startsWith(RESERVED)) {
            throw new DescriptionException(attribute, "names beginning with " + RESERVED + " are reserved");
        }
        if (value.indexOf('$') >= 0 && warnings.size() < MAX_WARNINGS) {
            warnings.add(
                    attribute + ": the value of " + SafeText.of(name) + " is passed on as it is, $ is not expanded");
        }
        environment.put(name, value);
    }
}
