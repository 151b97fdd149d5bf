package org.gelato.ce.testkit.glue;

import java.util.List;
import java.util.Map;

/**
 * An entry of a directory.
 *
 * @param dn as written
 * @param values by attribute, each in order, never an empty list
 */
public record LdifEntry(String dn, Map<String, List<String>> values) {
    /** Whether it is of a class, {@code GLUE2} left out. */
    public boolean is(String glueClass) {
        return all("objectClass").contains("GLUE2" + glueClass);
    }

    /** The values of an attribute; an empty list for none. */
    public List<String> all(String attribute) {
        return values.getOrDefault(attribute, List.of());
    }

    /** The one value of an attribute; null for none. @throws IllegalStateException for several */
    public String one(String attribute) {
        List<String> all = all(attribute);
        if (all.size() > 1) {
            throw new IllegalStateException(attribute + " of " + dn + " has the values " + all);
        }
        return all.isEmpty() ? null : all.get(0);
    }
}
