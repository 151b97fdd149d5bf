package org.gelato.ce.core.identity;

import java.util.Collection;

/** Whom the site's files map to which account at one moment. Reads no disk and makes no lease; any thread. */
@FunctionalInterface
public interface Mappings {
    /**
     * Whether a user would be given an account now.
     *
     * @param dn RFC 2253
     * @param fqans attributes he is known to have had; each counts alone, as he can show any of them first
     * @param account he was given earlier
     */
    boolean hold(String dn, Collection<String> fqans, String account);
}
