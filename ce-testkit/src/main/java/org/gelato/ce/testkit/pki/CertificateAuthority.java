package org.gelato.ce.testkit.pki;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs certificates and revocation lists. RSA 2048, SHA-256. Thread-safe: holds no state but the key. */
public final class CertificateAuthority {
    public static final Duration LIFETIME = Duration.ofDays(365);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(10);
    private static final int USUAL_BITS = 2048;

    private final GridCredential own;
    private final Clock clock;

    CertificateAuthority(GridCredential own, Clock clock) {
        this.own = own;
        this.clock = clock;
    }

    /** Makes a self-signed authority. */
    static CertificateAuthority create(CertificateForm form, Clock clock) {
        KeyPair keys = newKeys();
        X509Certificate certificate = certificate(form, form.subject(), null, keys, keys.getPrivate(), clock);
        return new CertificateAuthority(new GridCredential(keys.getPrivate(), List.of(certificate)), clock);
    }

    GridCredential credential() {
        return own;
    }

    /** Signs a certificate with a new RSA key of 2048 bits. */
    GridCredential issue(CertificateForm form) {
        return issue(form, newKeys());
    }

    /** The same for a key that is there. */
    GridCredential issue(CertificateForm form, KeyPair keys) {
        X500Name issuer =
                X500Name.getInstance(own.certificate().getSubjectX500Principal().getEncoded());
        X509Certificate certificate = certificate(form, issuer, own.certificate(), keys, own.key(), clock);
        return new GridCredential(keys.getPrivate(), List.of(certificate));
    }

    /** @param authority null for a self-signed certificate */
    private static X509Certificate certificate(
            CertificateForm form,
            X500Name issuer,
            X509Certificate authority,
            KeyPair keys,
            PrivateKey key,
            Clock clock) {
        try {
            boolean root = authority == null;
            Duration lifetime = LIFETIME.multipliedBy(root ? 2 : 1);
            X509v3CertificateBuilder b = builder(issuer, form.subject(), keys.getPublic(), clock.instant(), lifetime);
            form.writeTo(b, root);
            JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
            b.addExtension(Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(keys.getPublic()));
            if (!root) {
                b.addExtension(Extension.authorityKeyIdentifier, false, ids.createAuthorityKeyIdentifier(authority));
            }
            ContentSigner signer = new JcaContentSignerBuilder("SHA256withRSA").build(key);
            return new JcaX509CertificateConverter().getCertificate(b.build(signer));
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A list of exactly these serial numbers, for as long as a certificate. */
    X509CRL revocationList(Set<BigInteger> serials) {
        return revocationList(serials, clock.instant().plus(LIFETIME));
    }

    /** A list of exactly these serial numbers, until then. */
    X509CRL revocationList(Set<BigInteger> serials, Instant end) {
        try {
            Instant now = clock.instant();
            JcaX509v2CRLBuilder b = new JcaX509v2CRLBuilder(
                    own.certificate().getSubjectX500Principal(),
                    Date.from((end.isBefore(now) ? end : now).minus(CLOCK_SKEW)));
            b.setNextUpdate(Date.from(end));
            serials.forEach(s -> b.addCRLEntry(s, Date.from(now.minus(CLOCK_SKEW)), CRLReason.keyCompromise));
            b.addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(now.toEpochMilli())));
            b.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(own.certificate()));
            return new JcaX509CRLConverter().getCRL(b.build(signer()));
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    static KeyPair newKeys() {
        return newKeys(USUAL_BITS);
    }

    /** Of the usual length they may be kept ones. */
    static KeyPair newKeys(int bits) {
        return bits == USUAL_BITS ? KeyCache.next(() -> generated(bits)) : generated(bits);
    }

    private static KeyPair generated(int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static BigInteger newSerial() {
        return new BigInteger(62, new SecureRandom()).setBit(62);
    }

    private ContentSigner signer() throws OperatorCreationException {
        return new JcaContentSignerBuilder("SHA256withRSA").build(own.key());
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, PublicKey key, Instant now, Duration lifetime) {
        return new JcaX509v3CertificateBuilder(
                issuer, newSerial(), Date.from(now.minus(CLOCK_SKEW)), Date.from(now.plus(lifetime)), subject, key);
    }
}
