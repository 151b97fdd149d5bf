package org.gelato.ce.ws.glue2;

import java.util.ArrayList;
import java.util.List;

/**
 * An entity with its attributes and those below it. Immutable.
 *
 * @param id unique among the entities of all CEs, as long as host names are
 * @param audience who is to see it
 * @param attributes by their names in a document, in order; those that may occur several times do so one after the other
 * @param directoryAttributes by their whole names in a directory, which alone has them: keys of other entities, and what a
 *     document says by where an entity lies
 * @param parts in order
 */
public record Entity(
        Kind kind,
        String id,
        Audience audience,
        List<Attribute> attributes,
        List<Attribute> directoryAttributes,
        List<Entity> parts) {
    public Entity {
        attributes = List.copyOf(attributes);
        directoryAttributes = List.copyOf(directoryAttributes);
        parts = List.copyOf(parts);
    }

    /** Who is to see an entity. */
    public enum Audience {
        ALL,
        /** What a client of a document would misread is left out of it. */
        DIRECTORY,
        /** What would be counted twice by who adds up entries is left out of a directory. */
        DOCUMENT
    }

    /**
     * An attribute.
     *
     * @param value any text, never null; each writer escapes it
     */
    public record Attribute(String name, String value) {}

    /** The values of an attribute in a document's naming. */
    List<String> values(String name) {
        return attributes.stream()
                .filter(a -> a.name().equals(name))
                .map(Attribute::value)
                .toList();
    }

    /** Collects what is known of an entity. For one thread. */
    static final class Builder {
        private final Kind kind;
        private final String id;
        private Audience audience = Audience.ALL;
        private final List<Attribute> attributes = new ArrayList<>();
        private final List<Attribute> directoryAttributes = new ArrayList<>();
        private final List<Entity> parts = new ArrayList<>();

        Builder(Kind kind, String id) {
            this.kind = kind;
            this.id = id;
        }

        Builder seenBy(Audience who) {
            audience = who;
            return this;
        }

        /** Adds an attribute unless its value is unknown, which is null, or empty. */
        Builder with(String name, Object value) {
            add(attributes, name, value);
            return this;
        }

        /** Adds an attribute for each value. */
        Builder withEach(String name, Iterable<String> values) {
            values.forEach(value -> with(name, value));
            return this;
        }

        /** Adds an attribute that only a directory has, by its whole name. */
        Builder inDirectory(String name, Object value) {
            add(directoryAttributes, name, value);
            return this;
        }

        private static void add(List<Attribute> to, String name, Object value) {
            if (value != null && !value.toString().isEmpty()) {
                to.add(new Attribute(name, value.toString()));
            }
        }

        Builder with(Entity part) {
            parts.add(part);
            return this;
        }

        Entity build() {
            return new Entity(kind, id, audience, attributes, directoryAttributes, parts);
        }
    }
}
