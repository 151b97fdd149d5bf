package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.impl.PEMCredential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.function.Function;
import org.gelato.ce.core.identity.DnForms;

/**
 * The TLS side of the CE's port.
 *
 * @param hostCertificate PEM: host certificate, then intermediate CAs if there are any
 * @param hostKey PEM, RSA or EC, not encrypted
 * @param trust the CE's trust anchors
 */
public record TlsConfig(Path hostCertificate, Path hostKey, TrustConfig trust) {
    /** @throws IllegalArgumentException naming the key and the value when a file is unusable or the two don't belong together */
    public TlsConfig {
        readableFile("tls.host-certificate", hostCertificate);
        readableFile("tls.host-key", hostKey);
        load(hostCertificate, hostKey);
    }

    /**
     * Reads the keys {@code host-certificate} and {@code host-key}, and those of {@link TrustConfig#parse}.
     *
     * @param values text of a key, null when it is not set
     */
    public static TlsConfig parse(Function<String, String> values) {
        return new TlsConfig(
                TrustConfig.path(values, "host-certificate", "/etc/grid-security/hostcert.pem"),
                TrustConfig.path(values, "host-key", "/etc/grid-security/hostkey.pem"),
                TrustConfig.parse(values));
    }

    /** The host certificate as it is in the file now. */
    X509Certificate certificate() {
        return load(hostCertificate, hostKey).getCertificate();
    }

    /** When the host certificate ends, as it is in the file now. */
    public Instant certificateEnd() {
        return certificate().getNotAfter().toInstant();
    }

    /** Who issued the host certificate that is in the file now, in slash form. */
    public String issuer() {
        return DnForms.slash(DnForms.rfc2253(certificate().getIssuerX500Principal()));
    }

    private static PEMCredential load(Path certificate, Path key) {
        try {
            return new PEMCredential(key.toString(), certificate.toString(), (char[]) null);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "tls.host-certificate, tls.host-key: " + certificate + " and " + key
                            + " are not a certificate and its unencrypted key in PEM: " + e.getMessage(),
                    e);
        }
    }

    private static void readableFile(String key, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException(key + ": " + file + " is not a readable file");
        }
    }
}
