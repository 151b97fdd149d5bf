package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Who we are and whom we believe.
 *
 * @param hostCertificate PEM, with intermediate CAs
 * @param hostKey PEM, not encrypted
 * @param caDirectory trust anchors, signing policies, CRLs
 * @param vomsDirectory {@code .lsc} files per VO
 * @param crl what to do about revocation lists
 * @param refresh how often all of these are read again
 */
public record TlsConfig(
        Path hostCertificate, Path hostKey, Path caDirectory, Path vomsDirectory, CrlCheck crl, Duration refresh) {
    /** How revocation lists count. */
    public enum CrlCheck {
        /** A CA without a current list is not believed. */
        REQUIRE,
        /** A list is used where there is a current one. */
        IF_VALID,
        IGNORE
    }

    static TlsConfig read(ConfigReader r) {
        return new TlsConfig(
                r.path("gelato.tls.host-certificate"),
                r.path("gelato.tls.host-key"),
                r.path("gelato.tls.ca-directory"),
                r.path("gelato.tls.voms-directory"),
                r.choice("gelato.tls.crl", CrlCheck.class),
                r.duration("gelato.tls.refresh", Duration.ofSeconds(1), Duration.ofDays(1)));
    }
}
