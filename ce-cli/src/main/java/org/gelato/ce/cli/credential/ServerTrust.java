package org.gelato.ce.cli.credential;

import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;

/** Whether a CE's certificate is trusted: by the authorities, or as they were found to trust it a short time ago. */
final class ServerTrust implements X509TrustManager {
    private final Path authorities;
    private final VerifiedChains verified;
    private final Supplier<X509TrustManager> verifier;
    private X509TrustManager full;
    private X509Certificate[] root = {};

    /** @param authorities a directory that {@link TrustedAuthorities#require} has accepted */
    ServerTrust(Path authorities, VerifiedChains verified) {
        this(authorities, verified, () -> new SSLTrustManager(TrustedAuthorities.load(authorities)));
    }

    /** @param verifier makes what verifies whole chains, when it is needed for the first time */
    ServerTrust(Path authorities, VerifiedChains verified, Supplier<X509TrustManager> verifier) {
        this.authorities = authorities;
        this.verified = verified;
        this.verifier = verifier;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        // From before the check: what changes meanwhile makes the chain unknown.
        Optional<String> digest = verified.digest(authorities, chain);
        if (digest.filter(verified::contains).isPresent()) {
            for (X509Certificate certificate : chain) {
                certificate.checkValidity();
            }
            keepRoot(chain[chain.length - 1]);
            return;
        }
        try {
            full().checkServerTrusted(chain, authType);
        } catch (CertificateException e) {
            Optional<String> ended = EndedList.of(authorities, chain, verified.now());
            throw ended.isPresent() ? new CertificateException(ended.get(), e) : e;
        }
        digest.ifPresent(verified::add);
    }

    private synchronized void keepRoot(X509Certificate last) {
        if (last.getSubjectX500Principal().equals(last.getIssuerX500Principal())) {
            root = new X509Certificate[] {last};
        }
    }

    private synchronized X509TrustManager full() {
        if (full == null) {
            full = verifier.get();
        }
        return full;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    /** TLS accepts any algorithm in the signatures of these on themselves: old authorities have MD5. */
    @Override
    public synchronized X509Certificate[] getAcceptedIssuers() {
        return full == null ? root.clone() : full.getAcceptedIssuers();
    }
}
