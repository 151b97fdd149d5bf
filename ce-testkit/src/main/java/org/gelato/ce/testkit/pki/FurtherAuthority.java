package org.gelato.ce.testkit.pki;

import java.security.KeyPair;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A further CA below the root of a {@link GridPki}, whose certificate can be taken out of the trust anchors and put back. Thread-safe. */
public final class FurtherAuthority {
    private static final String NAMES = "/DC=test/DC=gelato/*";

    private final CertificateAuthority authority;
    private final TrustAnchorFiles anchors;
    private final KeyPair keys = CertificateAuthority.newKeys();
    private final Map<String, GridCredential> users = new ConcurrentHashMap<>();

    /** Trusted from here on. */
    FurtherAuthority(CertificateAuthority authority, TrustAnchorFiles anchors) {
        this.authority = authority;
        this.anchors = anchors;
        anchors.writeRevocationList(authority.revocationList(Set.of()));
        restore();
    }

    /** A user as {@link GridPki#user}; all of this CA share a key pair. */
    public GridCredential user(String name) {
        return users.computeIfAbsent(
                name, n -> authority.issue(CertificateForm.person("/DC=test/DC=gelato/O=People/CN=" + n), keys));
    }

    /** Takes its certificate away; signing policy and CRL stay. */
    public void withdraw() {
        anchors.removeAnchor();
    }

    public void restore() {
        anchors.writeAnchor(NAMES);
    }
}
