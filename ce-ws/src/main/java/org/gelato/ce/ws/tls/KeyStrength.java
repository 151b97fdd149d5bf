package org.gelato.ce.ws.tls;

import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Optional;
import org.gelato.ce.core.identity.DnForms;

/**
 * Which keys are strong enough: RSA of 2048 bits for users, hosts and CAs; of 1024 bits for proxies, which live for hours
 * and which old clients make so; elliptic curves of 256 bits for all.
 */
final class KeyStrength {
    private static final int RSA = 2048;
    private static final int RSA_PROXY = 1024;
    private static final int CURVE = 256;

    private KeyStrength() {}

    /** Why a certificate's key is not accepted; empty when it is. */
    static Optional<String> refusal(X509Certificate certificate) {
        PublicKey key = certificate.getPublicKey();
        boolean proxy = EndEntity.isProxy(certificate);
        if (key instanceof RSAPublicKey rsa) {
            return tooShort(certificate, proxy, "RSA", rsa.getModulus().bitLength(), proxy ? RSA_PROXY : RSA);
        }
        if (key instanceof ECPublicKey ec) {
            return tooShort(certificate, proxy, "EC", ec.getParams().getOrder().bitLength(), CURVE);
        }
        return key instanceof EdECPublicKey
                ? Optional.empty()
                : Optional.of(name(certificate, proxy) + " has a key of the kind " + key.getAlgorithm()
                        + ": RSA and elliptic curves are accepted");
    }

    private static Optional<String> tooShort(
            X509Certificate certificate, boolean proxy, String kind, int bits, int least) {
        return bits >= least
                ? Optional.empty()
                : Optional.of(name(certificate, proxy) + " has an " + kind + " key of " + bits + " bits, at least "
                        + least + " are needed");
    }

    private static String name(X509Certificate certificate, boolean proxy) {
        return (proxy ? "proxy " : "certificate ") + DnForms.rfc2253(certificate.getSubjectX500Principal());
    }
}
