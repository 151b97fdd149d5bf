package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.ws.config.ConfigurationException.Problems;

/** The keys there are, to refuse all others, as a misspelt key must not silently leave the default, and those that there were. */
final class KeyNames {
    /** Each key that there was, with what it is fixed at. */
    static final Config RETIRED = ConfigFactory.parseResources(KeyNames.class, "retired.conf");

    private final Set<String> keys = new LinkedHashSet<>();
    private final Set<String> sections = new LinkedHashSet<>();
    private final Map<String, String> retired = new TreeMap<>();
    private final Map<String, String> found = new TreeMap<>();

    /** Takes the keys from the reference configuration, which holds every one. */
    KeyNames(Config reference) {
        collect("", reference.root());
        RETIRED.entrySet()
                .forEach(e -> retired.put(e.getKey(), e.getValue().unwrapped().toString()));
    }

    private void collect(String prefix, ConfigObject object) {
        for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
            String key = prefix + entry.getKey();
            if (entry.getValue().valueType() == ConfigValueType.OBJECT) {
                sections.add(key);
                collect(key + ".", (ConfigObject) entry.getValue());
            } else {
                keys.add(key);
            }
        }
    }

    /** Names every key of a site's configuration that does not exist, with its line and the nearest one that does. */
    void check(Config site, Problems problems) {
        check("", site.root(), problems);
    }

    private void check(String prefix, ConfigObject object, Problems problems) {
        for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
            String key = prefix + entry.getKey();
            ConfigValue value = entry.getValue();
            if (sections.contains(key)) {
                if (value.valueType() == ConfigValueType.OBJECT) {
                    check(key + ".", (ConfigObject) value, problems);
                } else {
                    problems.add(
                            key, value, key + " is a section, not a value: write " + key + " { ... }" + line(value));
                }
            } else if (retired.containsKey(key)) {
                found.put(key, "is fixed at " + retired.get(key) + " since 0.11.0, and the line has no effect");
            } else if (!keys.contains(key)) {
                problems.add(
                        key,
                        value,
                        "there is no key "
                                + prefix
                                + ConfigUtil.joinPath(entry.getKey())
                                + line(value)
                                + nearest(key)
                                        .map(k -> "; did you mean " + k + "?")
                                        .orElse(""));
            }
        }
    }

    /** Keys that counted in the version before, of what was checked so far, with what holds now. */
    Map<String, String> retired() {
        return Map.copyOf(found);
    }

    static String line(ConfigValue value) {
        // A default has a line too, but in no file the administrator knows.
        if (value.origin().resource() != null) {
            return " (default)";
        }
        int line = value.origin().lineNumber();
        return line < 0 ? "" : " (line " + line + ")";
    }

    private Optional<String> nearest(String key) {
        String leaf = leaf(key);
        Set<String> all = new LinkedHashSet<>(keys);
        all.addAll(sections);
        Optional<String> misplaced =
                all.stream().filter(k -> leaf(k).equals(leaf)).min(Comparator.comparingInt(k -> distance(k, key)));
        return misplaced.or(() -> all.stream()
                .filter(k -> distance(k, key) <= Math.max(2, leaf.length() / 3))
                .min(Comparator.comparingInt(k -> distance(k, key))));
    }

    private static String leaf(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    /** Levenshtein's distance of two words. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
