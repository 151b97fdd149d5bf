package org.gelato.ce.cli.soap;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An element of a message, to be sent or received, with either text or children. Names are local: each service chooses its own
 * prefixes. Used by one thread.
 */
final class Element {
    private final String name;
    private Map<String, String> attributes = Map.of();
    private List<Element> children = List.of();
    private String text;

    Element(String name) {
        this(name, null);
    }

    /** @param text null for none */
    Element(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /** Appends a child. */
    Element add(Element child) {
        if (children.isEmpty()) {
            children = new ArrayList<>(4);
        }
        children.add(child);
        return this;
    }

    /** Appends a child with this text; nothing where the text is null. */
    Element add(String child, Object value) {
        return value == null ? this : add(new Element(child, value.toString()));
    }

    /** Sets an attribute; nothing where its value is null. */
    Element attribute(String attribute, String value) {
        if (value != null) {
            if (attributes.isEmpty()) {
                attributes = new LinkedHashMap<>(2);
            }
            attributes.put(attribute, value);
        }
        return this;
    }

    void setText(String text) {
        this.text = text;
    }

    String name() {
        return name;
    }

    /** Null for an element that has none, or is nil. */
    String text() {
        return text;
    }

    List<Element> children() {
        return children;
    }

    Map<String, String> attributes() {
        return attributes;
    }

    /** Null when absent. */
    String attribute(String attribute) {
        return attributes.get(attribute);
    }

    /** The first child of this name; null when there is none. */
    Element child(String childName) {
        for (Element child : children) {
            if (child.name.equals(childName)) {
                return child;
            }
        }
        return null;
    }

    List<Element> children(String childName) {
        return children.stream().filter(child -> child.name.equals(childName)).toList();
    }

    /** The text of the first child of this name; null when there is none, or it is nil. */
    String text(String childName) {
        Element child = child(childName);
        return child == null ? null : child.text;
    }

    /** The time in the first child of this name; null when there is none, or it is no time. */
    Instant time(String childName) {
        return WireTimes.instant(text(childName));
    }

    /** What the children called {@code property} say, by their names. */
    Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        for (Element property : children("property")) {
            properties.put(property.text("name"), property.text("value"));
        }
        return properties;
    }
}
