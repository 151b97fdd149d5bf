package org.gelato.ce.ws.glue2;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.base.Sha256;

/**
 * Makes ids that every consumer can carry. A BDII takes any {@code dn:} for the beginning of an entry, cannot read an encoded
 * one, and compares names without regard to case (docs/developer/protocol/glue2.md section 3): so ids are ASCII without what a DN escapes,
 * hold no {@code dn:}, and are different in lower case. For one thread.
 */
final class Ids {
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9._:/@-]");
    private static final Pattern BEGIN_OF_ENTRY = Pattern.compile("(?i)(dn):");
    /** An LMDB of OpenLDAP has no room for a longer name of an entry, which is there twice, in 511 bytes. */
    private static final int MAX = 200;

    private static final int HASH_BYTES = 4;

    private final Set<String> taken = new HashSet<>();

    /**
     * A new id for a wanted one. What had to be changed, or is another entity's already, ends in a hash; in the same order of calls
     * the ids are the same.
     */
    String of(String wanted) {
        String safe =
                BEGIN_OF_ENTRY.matcher(UNSAFE.matcher(wanted).replaceAll("_")).replaceAll("$1_");
        if (safe.length() > MAX) {
            safe = safe.substring(0, MAX);
        }
        boolean changed = UNSAFE.matcher(wanted).find() || wanted.length() > MAX;
        String id = changed ? safe + hash(wanted) : safe;
        for (int again = 1; !taken.add(id.toLowerCase(Locale.ROOT)); again++) {
            id = safe + hash(wanted + " " + again);
        }
        return id;
    }

    private static String hash(String wanted) {
        return "-" + HexFormat.of().formatHex(Sha256.of(wanted), 0, HASH_BYTES);
    }
}
