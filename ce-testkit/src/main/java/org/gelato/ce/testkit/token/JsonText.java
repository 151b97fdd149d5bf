package org.gelato.ce.testkit.token;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON: texts, maps, collections; anything else as its own text. */
final class JsonText {
    private JsonText() {}

    static String of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(e -> quoted(e.getKey().toString()) + ":" + of(e.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> all) {
            return all.stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof CharSequence text ? quoted(text) : String.valueOf(value);
    }

    private static String quoted(CharSequence text) {
        return text.chars()
                .mapToObj(
                        c -> c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", c) : String.valueOf((char) c))
                .collect(Collectors.joining("", "\"", "\""));
    }
}
