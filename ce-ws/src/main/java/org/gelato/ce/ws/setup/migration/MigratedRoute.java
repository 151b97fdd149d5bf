package org.gelato.ce.ws.setup.migration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A route as it is going to be written. Used by one thread. */
final class MigratedRoute {
    private static final String MATCH = "match";
    /** Of which two routes with different texts are for different jobs. */
    private static final List<String> SINGLE = List.of("vo", "queue", "account", "dn", "issuer");

    private final SourcePlace place;
    private final String name;
    private final Map<String, Object> match;
    private final Map<List<String>, Taken> values = new LinkedHashMap<>();

    /** @param from what it comes from, as the report names it */
    record Taken(Object value, SourcePlace place, String from) {}

    MigratedRoute(SourcePlace place, String name, Map<String, Object> match) {
        this.place = place;
        this.name = name;
        this.match = match;
    }

    SourcePlace place() {
        return place;
    }

    String name() {
        return name;
    }

    Map<List<String>, Taken> values() {
        return values;
    }

    /**
     * The last one counts; names of attributes are compared without regard to case.
     *
     * @return what was there
     */
    List<Taken> put(List<String> key, Taken value) {
        List<Taken> before = remove(key);
        values.put(key, value);
        return before;
    }

    List<Taken> remove(List<String> key) {
        List<List<String>> same = values.keySet().stream()
                .filter(there -> text(there).equalsIgnoreCase(text(key)))
                .toList();
        return same.stream().map(values::remove).toList();
    }

    static String text(List<String> key) {
        return String.join(".", key);
    }

    /** Its section in {@code gelato.routes}, with those of its values. */
    Map<String, Object> section(Predicate<List<String>> wanted) {
        Map<String, Object> section = new LinkedHashMap<>();
        section.put("name", name);
        if (!match.isEmpty()) {
            section.put(MATCH, match);
        }
        values.forEach((key, value) -> {
            if (wanted.test(key)) {
                put(section, key, value.value());
            }
        });
        return section;
    }

    Map<String, Object> section() {
        return section(key -> true);
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> section, List<String> key, Object value) {
        Map<String, Object> at = section;
        for (String name : key.subList(0, key.size() - 1)) {
            at = (Map<String, Object>) at.computeIfAbsent(name, n -> new LinkedHashMap<String, Object>());
        }
        at.put(key.get(key.size() - 1), value);
    }

    /** The keys that count for jobs of an earlier route too, as that has none of its own; empty where no job matches both. */
    Set<String> alsoFor(MigratedRoute earlier) {
        Set<String> keys = new TreeSet<>();
        if (!excludes(earlier)) {
            values.keySet().forEach(key -> keys.add(text(key)));
            earlier.values.keySet().forEach(key -> keys.removeIf(text(key)::equalsIgnoreCase));
        }
        return keys;
    }

    private boolean excludes(MigratedRoute other) {
        return SINGLE.stream()
                        .anyMatch(key -> match.get(key) instanceof List<?> own
                                && other.match.get(key) instanceof List<?> theirs
                                && own.stream().noneMatch(theirs::contains))
                || (match.get("whole-node") instanceof Boolean own
                        && other.match.get("whole-node") instanceof Boolean theirs
                        && !own.equals(theirs));
    }
}
