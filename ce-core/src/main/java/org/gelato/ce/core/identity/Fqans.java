package org.gelato.ce.core.identity;

import java.util.regex.Pattern;

/** The written form of VOMS attributes (docs/developer/protocol/behaviour.md section 3). Functions without state. */
public final class Fqans {
    /** Longest FQAN taken; the database keeps owners' primary FQANs in this many characters. */
    public static final int MAX_LENGTH = 255;

    private static final Pattern CAPABILITY = Pattern.compile("/Capability=[^/]*$");
    /** How FQANs of old say that they have no role. */
    public static final String NULL_ROLE = "/Role=NULL";

    private static final Pattern WELL_FORMED =
            Pattern.compile("(?:/[A-Za-z0-9_.-]+)+(?:/Role=[A-Za-z0-9_.-]+)?(?:/Capability=[A-Za-z0-9_.-]+)?");

    private Fqans() {}

    /** Cuts {@code /Capability=NULL} and {@code /Role=NULL}, which have no meaning. */
    public static String normalised(String fqan) {
        String s = fqan;
        if (s.endsWith("/Capability=NULL")) {
            s = CAPABILITY.matcher(s).replaceFirst("");
        }
        return s.endsWith(NULL_ROLE) ? s.substring(0, s.length() - NULL_ROLE.length()) : s;
    }

    /** Cuts any capability, and the empty role: what patterns of the grid-mapfile are compared with. */
    public static String withoutCapability(String fqan) {
        return normalised(cutCapability(fqan));
    }

    /** Cuts any capability alone. */
    public static String cutCapability(String fqan) {
        return CAPABILITY.matcher(fqan).replaceFirst("");
    }

    /** Whether a text is an FQAN, role and capability included. */
    public static boolean isWellFormed(String fqan) {
        return fqan.length() <= MAX_LENGTH && WELL_FORMED.matcher(fqan).matches();
    }

    /** Whether a text is an FQAN of that VO: an issuer may only assert its own. */
    public static boolean belongsTo(String vo, String fqan) {
        return isWellFormed(fqan) && (fqan.equals("/" + vo) || fqan.startsWith("/" + vo + "/"));
    }
}
