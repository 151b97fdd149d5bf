package org.gelato.ce.testkit.pki;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;

/**
 * The client's half of a delegation: signs the CE's request with a proxy, as the original command line client does it
 * (docs/developer/protocol/client-observations.md, Requests; docs/developer/protocol/delegation-wire.md section 4). Thread-safe.
 */
public final class DelegationSigner {
    private static final ASN1ObjectIdentifier PROXY_CERT_INFO = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14");
    private static final ASN1ObjectIdentifier INHERIT_ALL = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.21.1");
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    /** What the original client does, and what a newer one would. */
    public enum Habit {
        /** SHA-1 signature; the last CN of the parent is repeated. */
        ORIGINAL("SHA1withRSA"),
        /** SHA-256 signature; the serial number as CN. */
        MODERN("SHA256withRSA");

        private final String algorithm;

        Habit(String algorithm) {
            this.algorithm = algorithm;
        }
    }

    private final Clock clock;

    public DelegationSigner(Clock clock) {
        this.clock = clock;
    }

    /**
     * @param proxy who delegates; attribute certificates stay in its certificate
     * @param request PKCS#10, PEM; its subject is ignored, its self-signature checked
     * @param lifetime cut to what the proxy has left
     * @return PEM: new certificate, proxy, the proxy's chain; no key
     * @throws IllegalArgumentException when the request is none or is not signed by its own key
     */
    public String sign(GridCredential proxy, String request, Duration lifetime, Habit habit) {
        return PemFile.encode(sign(proxy, checked(request).getSubjectPublicKeyInfo(), lifetime, habit));
    }

    /** The same for a key that needs no request: the new certificate, and the proxy's chain. */
    public List<X509Certificate> sign(GridCredential proxy, PublicKey key, Duration lifetime, Habit habit) {
        return sign(proxy, SubjectPublicKeyInfo.getInstance(key.getEncoded()), lifetime, habit);
    }

    private List<X509Certificate> sign(GridCredential proxy, SubjectPublicKeyInfo key, Duration lifetime, Habit habit) {
        try {
            X509v3CertificateBuilder builder = builder(proxy, key, lifetime, habit);
            builder.addExtension(PROXY_CERT_INFO, true, new DERSequence(new DERSequence(INHERIT_ALL)));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.dataEncipherment));
            X509Certificate signed = new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(habit.algorithm).build(proxy.key())));
            List<X509Certificate> chain = new ArrayList<>(List.of(signed));
            chain.addAll(proxy.chain());
            return chain;
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509v3CertificateBuilder builder(
            GridCredential proxy, SubjectPublicKeyInfo key, Duration lifetime, Habit habit) {
        BigInteger serial = CertificateAuthority.newSerial();
        X500Name parent = X500Name.getInstance(
                proxy.certificate().getSubjectX500Principal().getEncoded());
        RDN[] rdns = parent.getRDNs();
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        for (RDN rdn : rdns) {
            subject.addMultiValuedRDN(rdn.getTypesAndValues());
        }
        if (habit == Habit.ORIGINAL) {
            subject.addMultiValuedRDN(rdns[rdns.length - 1].getTypesAndValues());
        } else {
            subject.addRDN(BCStyle.CN, serial.toString());
        }
        Instant now = clock.instant();
        Instant end = proxy.chain().stream()
                .map(c -> c.getNotAfter().toInstant())
                .reduce(now.plus(lifetime), (a, b) -> a.isBefore(b) ? a : b);
        return new X509v3CertificateBuilder(
                parent, serial, Date.from(now.minus(CLOCK_SKEW)), Date.from(end), subject.build(), key);
    }

    private static PKCS10CertificationRequest checked(String pem) {
        List<Object> objects = PemFile.decode(pem);
        if (objects.size() != 1 || !(objects.get(0) instanceof PKCS10CertificationRequest request)) {
            throw new IllegalArgumentException("not one certificate request in PEM");
        }
        try {
            if (!request.isSignatureValid(
                    new JcaContentVerifierProviderBuilder().build(request.getSubjectPublicKeyInfo()))) {
                throw new IllegalArgumentException("the certificate request is not signed by its own key");
            }
        } catch (OperatorCreationException | PKCSException e) {
            throw new IllegalArgumentException("the certificate request can't be checked: " + e.getMessage(), e);
        }
        return request;
    }
}
