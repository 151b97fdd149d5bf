package org.gelato.ce.cli.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * What the user calls jobs (docs/user/labels.md).
 *
 * @param name null for none
 * @param labels {@code NAME=VALUE} each
 */
public record JobNaming(String name, List<String> labels) {
    public static final JobNaming NONE = new JobNaming(null, List.of());

    public JobNaming {
        labels = List.copyOf(labels);
    }

    public boolean isGiven() {
        return name != null || !labels.isEmpty();
    }

    /**
     * Sees whether a CE can take it; the rest it says itself.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public JobNaming checked() {
        if (name != null && name.isBlank()) {
            throw new IllegalArgumentException("--name wants a text");
        }
        for (String label : labels) {
            if (!label.matches("(?s)[A-Za-z0-9][A-Za-z0-9._-]{0,62}=.*")) {
                throw new IllegalArgumentException("'" + label + "' is no label: write NAME=VALUE");
            }
        }
        List<String> all = new ArrayList<>(labels);
        if (name != null) {
            all.add(name);
        }
        if (all.stream().anyMatch(text -> text.chars().anyMatch(Character::isISOControl) || text.endsWith("\\"))) {
            throw new IllegalArgumentException("--name and --label have control characters, or end with a backslash");
        }
        return this;
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (name != null) {
            parts.add("the name " + name);
        }
        labels.forEach(label -> parts.add("the label " + label));
        return String.join(" and ", parts);
    }
}
