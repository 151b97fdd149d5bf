package org.gelato.ce.core.identity;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** DNs of a ban file or an admin list, one per line, {@code #} begins a comment line. Immutable. */
final class DnList {
    static final DnList EMPTY = new DnList(Set.of(), false);

    private final Set<String> keys;
    private final boolean caseless;

    private DnList(Set<String> keys, boolean caseless) {
        this.keys = Set.copyOf(keys);
        this.caseless = caseless;
    }

    /**
     * @param caseless whether a DN that differs only in upper and lower case is on the list too; right for refusing,
     *     wrong for granting
     * @throws IllegalArgumentException for a line that is no DN: a list that is half read must not come into force
     */
    static DnList parse(String content, boolean caseless) {
        Set<String> keys = new HashSet<>();
        int number = 0;
        for (String line : content.lines().toList()) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            try {
                keys.add(key(QuotedName.alone(text), caseless));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        return new DnList(keys, caseless);
    }

    boolean contains(String dn) {
        return !keys.isEmpty() && keys.contains(key(dn, caseless));
    }

    int size() {
        return keys.size();
    }

    private static String key(String dn, boolean caseless) {
        String key = DnForms.comparable(dn);
        return caseless ? key.toLowerCase(Locale.ROOT) : key;
    }
}
