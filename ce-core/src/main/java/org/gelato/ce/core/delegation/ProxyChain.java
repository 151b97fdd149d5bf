package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;

/** A certificate chain, leaf first. Parsing bounds what a client may send; nothing is verified yet. Immutable. */
final class ProxyChain {
    static final int MAX_CHARS = 128 * 1024;
    static final int MAX_CERTIFICATES = 20;
    private static final int KEY_HASH_BYTES = 20;

    private final List<X509Certificate> certificates;

    private ProxyChain(List<X509Certificate> certificates) {
        this.certificates = List.copyOf(certificates);
    }

    /**
     * Parses concatenated PEM certificates; any line ends, text around the blocks is skipped.
     *
     * @throws DelegationRefused beginning with {@code Failed to load certificate chain}
     */
    static ProxyChain parse(String pem) {
        String text = pem == null ? "" : pem.strip();
        if (text.length() > MAX_CHARS) {
            throw refused("it has " + text.length() + " characters, at most " + MAX_CHARS + " are accepted");
        }
        List<X509Certificate> found = new ArrayList<>();
        try (PemReader reader = new PemReader(new StringReader(text))) {
            for (PemObject block = reader.readPemObject(); block != null; block = reader.readPemObject()) {
                if (!block.getType().equals("CERTIFICATE")) {
                    throw refused("it holds something else than certificates");
                }
                if (found.size() == MAX_CERTIFICATES) {
                    throw refused("it has more than " + MAX_CERTIFICATES + " certificates");
                }
                found.add(certificate(block.getContent()));
            }
        } catch (IOException | CertificateException | IllegalStateException e) { // the last: base64 of BouncyCastle
            throw refused("certificate " + (found.size() + 1) + " does not parse");
        }
        if (found.isEmpty()) {
            throw refused("it has no PEM certificate");
        }
        return new ProxyChain(found);
    }

    X509Certificate[] certificates() {
        return certificates.toArray(X509Certificate[]::new);
    }

    X509Certificate leaf() {
        return certificates.get(0);
    }

    /** The first certificate that is no proxy. */
    Optional<X509Certificate> endEntity() {
        return Optional.ofNullable(ProxyUtils.getEndUserCertificate(certificates()));
    }

    /** When the chain ends: its shortest certificate, which in a well-made chain is the leaf. */
    Instant end() {
        return certificates.stream()
                .map(c -> c.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** When all certificates of the chain have begun. */
    Instant begin() {
        return certificates.stream()
                .map(c -> c.getNotBefore().toInstant())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** What finds the request of this proxy. */
    byte[] keyHash() {
        return keyHash(leaf().getPublicKey());
    }

    /** First 20 bytes of SHA-256 of the DER public key (docs/developer/protocol/delegation-wire.md section 5). */
    static byte[] keyHash(PublicKey key) {
        return Arrays.copyOf(Sha256.of(key.getEncoded()), KEY_HASH_BYTES);
    }

    /** The chain as PEM, leaf first. */
    String pem() {
        return pem(certificates);
    }

    /** The issuers of the leaf as PEM. */
    String issuersPem() {
        return pem(certificates.subList(1, certificates.size()));
    }

    boolean sameAs(ProxyChain other) {
        return certificates.equals(other.certificates);
    }

    static String pem(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            try {
                text.append(Pem.block("CERTIFICATE", certificate.getEncoded()));
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a parsed certificate encodes", e);
            }
        }
        return text.toString();
    }

    private static X509Certificate certificate(byte[] der) throws CertificateException {
        ByteArrayInputStream in = new ByteArrayInputStream(der);
        X509Certificate certificate =
                (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        if (in.available() > 0) {
            throw new CertificateException("bytes after the certificate");
        }
        return certificate;
    }

    private static DelegationRefused refused(String why) {
        return new DelegationRefused("Failed to load certificate chain: " + why);
    }
}
