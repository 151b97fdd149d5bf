package org.gelato.ce.core.authorization;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.identity.DnForms;

/**
 * Names of leases in a gridmapdir, as LCMAPS and the grid-security tools before it have them: the DN in slash form, ASCII
 * letters in small, every byte that is no letter or digit as {@code %xx}. Leases made by VOMS attributes carry {@code :}
 * and a group behind it. DNs that differ in upper and lower case alone have one name, so one account; that is the
 * convention's. Functions without state.
 */
final class PoolMappingName {
    /** Longest name a file may have, in bytes; lease names are ASCII. */
    static final int MAX_LENGTH = 255;

    /** Leaves room for a group. */
    private static final int MAX_TOKEN = 200;

    private static final HexFormat HEX = HexFormat.of();

    private PoolMappingName() {}

    /** @param subject a DN in either form, or a token's subject */
    static String of(String subject) {
        if (TokenRule.isOne(subject)) {
            return ofToken(subject);
        }
        StringBuilder name = new StringBuilder();
        for (byte b : DnForms.slash(subject).getBytes(StandardCharsets.UTF_8)) {
            if ((b >= 'a' && b <= 'z') || (b >= '0' && b <= '9')) {
                name.append((char) b);
            } else if (b >= 'A' && b <= 'Z') {
                name.append((char) (b - 'A' + 'a'));
            } else {
                name.append('%').append(HEX.toHexDigits(b));
            }
        }
        return name.toString();
    }

    /** Capital letters count in a token's subject, so they are escaped too; what would be too long is hashed. */
    private static String ofToken(String subject) {
        StringBuilder name = new StringBuilder();
        for (byte b : subject.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9');
            name.append(plain ? String.valueOf((char) b) : "%" + HEX.toHexDigits(b));
        }
        if (name.length() <= MAX_TOKEN) {
            return name.toString();
        }
        return "sha256%3a" + HEX.formatHex(Sha256.of(subject));
    }

    /** Whether a lease belongs to the DN of this name, with a group or without. */
    static boolean belongs(String lease, String name) {
        return lease.equals(name) || lease.startsWith(name + ":");
    }
}
