package org.gelato.ce.core.identity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a credential may be limited to. Certificates permit everything; bearer tokens what their capability scopes say
 * (docs/developer/protocol/tokens.md).
 */
public enum Permission {
    /** Status, description and files of jobs. */
    READ,
    /** May register jobs. */
    CREATE,
    /** May change jobs. */
    MODIFY,
    /** Cancel and removal of jobs. */
    CANCEL;

    /** The capability in the claim {@code scope}, as {@code compute.read}. */
    public String scope() {
        return "compute." + name().toLowerCase(Locale.ROOT);
    }

    /** The permission of a capability; empty for another word. Words are compared exactly. */
    public static Optional<Permission> ofScope(String word) {
        return Arrays.stream(values()).filter(p -> p.scope().equals(word)).findAny();
    }

    /** Whether a word that is none of these has the name of one, with a path or in another letter case. */
    public static boolean isNearly(String word) {
        String plain = word.toLowerCase(Locale.ROOT).replaceFirst("[:/].*", "");
        return ofScope(word).isEmpty() && ofScope(plain).isPresent();
    }
}
