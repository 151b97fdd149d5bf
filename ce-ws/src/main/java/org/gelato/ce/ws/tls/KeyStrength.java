package org.gelato.ce.ws.tls;

import java.io.IOException;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAKey;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.X509ObjectIdentifiers;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.gelato.ce.core.identity.DnForms;

/**
 * Which keys are strong enough: RSA of 2048 bits for users, hosts and CAs; of 1024 bits for proxies, which live for hours
 * and which old clients make so; elliptic curves of 256 bits for all. And which cost too much: anybody can send a chain, and a
 * signature by a key of 16 384 bits with as long an exponent takes a second to verify.
 */
final class KeyStrength {
    private static final int RSA = 2048;
    private static final int RSA_PROXY = 1024;
    private static final int CURVE = 256;
    static final int RSA_MOST = 8192;
    /** The JDK's own limit for long keys. */
    private static final int EXPONENT_MOST = 64;
    /** A point of P-521: a byte and two numbers. */
    private static final int POINT_MOST = 133;

    private static final Set<ASN1ObjectIdentifier> RSA_KINDS = Set.of(
            PKCSObjectIdentifiers.rsaEncryption, PKCSObjectIdentifiers.id_RSASSA_PSS, X509ObjectIdentifiers.id_ea_rsa);
    private static final Set<ASN1ObjectIdentifier> SMALL_KINDS =
            Set.of(EdECObjectIdentifiers.id_Ed25519, EdECObjectIdentifiers.id_Ed448);

    private KeyStrength() {}

    /** Why a certificate's key is not accepted; empty when it is. */
    static Optional<String> refusal(X509Certificate certificate) {
        PublicKey key = certificate.getPublicKey();
        boolean proxy = EndEntity.isProxy(certificate);
        if (key instanceof RSAKey rsa) {
            return tooShort(certificate, proxy, "RSA", rsa.getModulus().bitLength(), proxy ? RSA_PROXY : RSA);
        }
        if (key instanceof ECPublicKey ec) {
            return tooShort(certificate, proxy, "EC", ec.getParams().getOrder().bitLength(), CURVE);
        }
        return key instanceof EdECPublicKey
                ? Optional.empty()
                : Optional.of(name(certificate, proxy) + otherKind(key.getAlgorithm()));
    }

    private static Optional<String> tooShort(
            X509Certificate certificate, boolean proxy, String kind, int bits, int least) {
        return bits >= least
                ? Optional.empty()
                : Optional.of(name(certificate, proxy) + " has an " + kind + " key of " + bits + " bits, at least "
                        + least + " are needed");
    }

    /**
     * Why a certificate is refused before any signature is verified; empty when its key costs little. The key is not made: already
     * that may cost much.
     */
    static Optional<String> costly(X509Certificate certificate) {
        try {
            return costly(Certificate.getInstance(certificate.getEncoded()).getSubjectPublicKeyInfo())
                    .map(why -> name(certificate, EndEntity.isProxy(certificate)) + why);
        } catch (CertificateEncodingException | IOException | RuntimeException e) {
            return Optional.of(name(certificate, false) + " has a key that can't be read");
        }
    }

    private static Optional<String> costly(SubjectPublicKeyInfo key) throws IOException {
        ASN1ObjectIdentifier kind = key.getAlgorithm().getAlgorithm();
        if (RSA_KINDS.contains(kind)) {
            RSAPublicKey rsa = RSAPublicKey.getInstance(key.parsePublicKey());
            int bits = rsa.getModulus().bitLength();
            int exponent = rsa.getPublicExponent().bitLength();
            return bits <= RSA_MOST && exponent <= EXPONENT_MOST
                    ? Optional.empty()
                    : Optional.of(" has an RSA key of " + bits + " bits with an exponent of " + exponent + ", at most "
                            + RSA_MOST + " and " + EXPONENT_MOST + " are accepted");
        }
        if (kind.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            return key.getAlgorithm().getParameters() instanceof ASN1ObjectIdentifier
                            && key.getPublicKeyData().getBytes().length <= POINT_MOST
                    ? Optional.empty()
                    : Optional.of(" has a key on a curve that has no name or more than 521 bits");
        }
        return SMALL_KINDS.contains(kind) ? Optional.empty() : Optional.of(otherKind(kind.getId()));
    }

    private static String otherKind(String kind) {
        return " has a key of the kind " + kind + ": RSA and elliptic curves are accepted";
    }

    private static String name(X509Certificate certificate, boolean proxy) {
        return (proxy ? "proxy " : "certificate ") + DnForms.rfc2253(certificate.getSubjectX500Principal());
    }
}
