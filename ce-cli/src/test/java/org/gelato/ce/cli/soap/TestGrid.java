package org.gelato.ce.cli.soap;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.proxy.ProxyCertificate;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A CA, a host {@code localhost}, a user and his proxy, in a directory. */
public final class TestGrid {
    static {
        CertificateUtils.configureSecProvider();
    }

    private final Instant now = Clock.systemUTC().instant();

    public final Path certificates;
    /** On a curve, whose signatures cost a server little. */
    public final KeyPair hostKeys = keys("EC", 256);

    public final X509Certificate ca;
    public final X509Certificate host;
    final X509Certificate user;
    private final KeyPair caKeys = keys();
    private final KeyPair userKeys = keys();

    public TestGrid(Path directory, String name) throws Exception {
        ca = issue("CN=" + name, "CN=" + name, caKeys, true, null);
        host = issue("CN=localhost,O=Hosts", "CN=" + name, hostKeys, false, "localhost");
        user = issue("CN=User,O=People", "CN=" + name, userKeys, false, null);
        certificates = Files.createDirectories(directory.resolve("certificates"));
        String hash = OpensslTruststoreHelper.getOpenSSLCAHash(ca.getSubjectX500Principal(), true);
        Files.writeString(certificates.resolve(hash + ".0"), pem(ca));
    }

    /** Writes a revocation list of the CA that revokes nothing and ends then. */
    public Path revocationList(Instant end) throws Exception {
        X509CRLHolder list = new JcaX509v2CRLBuilder(
                        ca.getSubjectX500Principal(), Date.from(end.minus(Duration.ofDays(1))))
                .setNextUpdate(Date.from(end))
                .build(new JcaContentSignerBuilder("SHA256withRSA").build(caKeys.getPrivate()));
        String hash = OpensslTruststoreHelper.getOpenSSLCAHash(ca.getSubjectX500Principal(), true);
        return Files.writeString(certificates.resolve(hash + ".r0"), pem(list));
    }

    /** Writes a proxy of the user that ends after a time. */
    public Path proxy(Path file, Duration left) throws Exception {
        ProxyCertificateOptions options = new ProxyCertificateOptions(new X509Certificate[] {user});
        options.setType(ProxyType.RFC3820);
        options.setValidityBounds(Date.from(now.minus(Duration.ofHours(2))), Date.from(now.plus(left)));
        ProxyCertificate proxy = ProxyGenerator.generate(options, userKeys.getPrivate());
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, pem(proxy.getCertificateChain()[0]) + pem(proxy.getPrivateKey()) + pem(user));
    }

    private X509Certificate issue(String subject, String issuer, KeyPair keys, boolean isCa, String dnsName)
            throws IOException, GeneralSecurityException, OperatorCreationException {
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                new X500Name(issuer),
                BigInteger.valueOf(System.nanoTime()),
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(2))),
                new X500Name(subject),
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isCa));
        builder.addExtension(
                Extension.keyUsage,
                true,
                new KeyUsage(
                        isCa
                                ? KeyUsage.keyCertSign | KeyUsage.cRLSign
                                : KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        if (dnsName != null) {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, dnsName)));
        }
        PrivateKey signer = caKeys.getPrivate();
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(signer)));
    }

    public static KeyPair keys() {
        return keys("RSA", 2048);
    }

    private static KeyPair keys(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(object);
        }
        return text.toString();
    }
}
