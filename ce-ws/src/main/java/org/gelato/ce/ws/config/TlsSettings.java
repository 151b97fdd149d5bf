package org.gelato.ce.ws.config;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.ws.tls.TrustConfig;

/**
 * Our credential and our trust anchors.
 *
 * @param hostCertificate PEM, with intermediate CAs
 * @param hostKey PEM, not encrypted
 * @param caDirectory trust anchors, signing policies, CRLs
 * @param vomsDirectory {@code .lsc} files per VO
 * @param crl {@code REQUIRE}: no certificate of a CA without a current list is accepted; {@code IF_VALID}: a list counts where
 *     there is a current one; {@code IGNORE}
 * @param refresh how often all of these are read again
 * @param signingPolicy what a CA without a policy file may sign
 * @param keyUsage whether key usage and purposes of users' certificates count
 */
public record TlsSettings(
        @Key Path hostCertificate,
        @Key Path hostKey,
        @Key Path caDirectory,
        @Key Path vomsDirectory,
        @Key CrlCheckingMode crl,
        @Key(min = "1 s", max = "1 day") Duration refresh,
        @Key TrustConfig.SigningPolicy signingPolicy,
        @Key TrustConfig.KeyUsage keyUsage) {
    /**
     * Without the host certificate.
     *
     * @throws IllegalArgumentException naming a directory that can't be read
     */
    public TrustConfig trust() {
        return new TrustConfig(caDirectory, vomsDirectory, crl, refresh, signingPolicy, keyUsage);
    }
}
