package org.gelato.ce.ws.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A user's certificate of some CA as it could be, but for its signature, which only the CA can make. It is for asking the validator
 * whether it accepts any certificate of the CA. Functions without state.
 */
final class Probe {
    private static final X500Name NOBODY = new X500Name("CN=nobody");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int SERIAL_BITS = 127;

    private Probe() {}

    /** @param lists the CA's CRLs; it says that it is on those that are for some distribution point only */
    static X509Certificate below(X509Certificate ca, Collection<X509CRL> lists) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            KeyPair keys = generator.generateKeyPair();
            Instant now = Instant.now();
            X509v3CertificateBuilder b = new JcaX509v3CertificateBuilder(
                    X500Name.getInstance(ca.getSubjectX500Principal().getEncoded()),
                    new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1),
                    Date.from(now.minus(HOUR)),
                    Date.from(now.plus(HOUR)),
                    NOBODY,
                    keys.getPublic());
            byte[] key = ca.getExtensionValue(Extension.subjectKeyIdentifier.getId());
            if (key != null) {
                byte[] named = SubjectKeyIdentifier.getInstance(JcaX509ExtensionUtils.parseExtensionValue(key))
                        .getKeyIdentifier();
                b.addExtension(Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(named));
            }
            List<DistributionPoint> points = new ArrayList<>();
            for (DistributionPointName name : points(lists)) {
                points.add(new DistributionPoint(name, null, null));
            }
            if (!points.isEmpty()) {
                b.addExtension(
                        Extension.cRLDistributionPoints,
                        false,
                        new CRLDistPoint(points.toArray(DistributionPoint[]::new)));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(b.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("no certificate can be made: " + e.getMessage(), e);
        }
    }

    /** The distribution points that the CRLs are limited to (RFC 5280, 5.2.5); empty where one is not. */
    static List<DistributionPointName> points(Collection<X509CRL> lists) throws IOException {
        List<DistributionPointName> points = new ArrayList<>();
        for (X509CRL list : lists) {
            byte[] scope = list.getExtensionValue(Extension.issuingDistributionPoint.getId());
            points.add(
                    scope == null
                            ? null
                            : IssuingDistributionPoint.getInstance(JcaX509ExtensionUtils.parseExtensionValue(scope))
                                    .getDistributionPoint());
        }
        return points.stream().allMatch(Objects::nonNull) ? points : List.of();
    }
}
