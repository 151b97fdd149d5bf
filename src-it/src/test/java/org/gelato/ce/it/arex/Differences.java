package org.gelato.ce.it.arex;

import java.util.Collection;
import java.util.function.Consumer;

/** Writes what differs as rows of the page. */
record Differences(String group, Consumer<String> rows) {
    /** Nothing when both are the same. */
    void add(String where, String what, Object theirs, Object ours) {
        if (!theirs.equals(ours)) {
            rows.accept(row(where, what, text(theirs), text(ours)));
        }
    }

    void add(String what, Object theirs, Object ours) {
        add(group, what, theirs, ours);
    }

    private static String text(Object value) {
        if (value instanceof Collection<?> all) {
            return all.isEmpty()
                    ? "none"
                    : String.join(" ", all.stream().map(Object::toString).toList());
        }
        return value.toString();
    }

    static String row(String where, String what, String theirs, String ours) {
        return "| " + String.join(" | ", where, what, theirs, ours) + " |";
    }
}
