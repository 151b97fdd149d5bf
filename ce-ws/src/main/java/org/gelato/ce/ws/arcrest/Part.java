package org.gelato.ce.ws.arcrest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A piece of a response, whatever its form: an XML element, a member of a JSON object, a row of an HTML table.
 *
 * @param name of the element
 * @param attributes of the XML element, which JSON and HTML leave out
 * @param text null for a piece that has parts
 * @param parts in order; empty for a piece with a text
 */
record Part(String name, Map<String, String> attributes, String text, List<Part> parts) {
    Part {
        parts = List.copyOf(parts);
    }

    /** A piece with a text; a null text is the empty one. */
    static Part of(String name, String text) {
        return new Part(name, Map.of(), text == null ? "" : text, List.of());
    }

    /** A piece made of others. */
    static Part of(String name, List<Part> parts) {
        return new Part(name, Map.of(), null, parts);
    }

    /** The same with one more attribute. */
    Part withAttribute(String attribute, String value) {
        Map<String, String> more = new LinkedHashMap<>(attributes);
        more.put(attribute, value);
        return new Part(name, more, text, parts);
    }

    /** Collects the parts of a piece; what is not known is left out. For one thread. */
    static final class Builder {
        private final String name;
        private final Map<String, String> attributes;
        private final List<Part> parts = new ArrayList<>();

        Builder(String name) {
            this(name, Map.of());
        }

        Builder(String name, Map<String, String> attributes) {
            this.name = name;
            this.attributes = attributes;
        }

        /** Adds a text, unless it is null. */
        Builder with(String part, Object text) {
            return text == null ? this : with(Part.of(part, text.toString()));
        }

        Builder with(Part part) {
            parts.add(part);
            return this;
        }

        Part build() {
            return new Part(name, attributes, null, parts);
        }
    }
}
