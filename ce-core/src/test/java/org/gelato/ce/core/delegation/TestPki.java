package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.helpers.proxy.DraftRFCProxyCertInfoExtension;
import eu.emi.security.authn.x509.helpers.proxy.RFCProxyCertInfoExtension;
import eu.emi.security.authn.x509.impl.InMemoryKeystoreCertChainValidator;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import eu.emi.security.authn.x509.impl.RevocationParametersExt;
import eu.emi.security.authn.x509.impl.ValidatorParamsExt;
import eu.emi.security.authn.x509.proxy.CertificateExtension;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.bc.BcX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.italiangrid.voms.asn1.VOMSACGenerator;
import org.italiangrid.voms.asn1.VOMSACGenerator.ACGenerationProperties;

/** A small PKI: one CA, one user, one VOMS server. Made once per JVM, because RSA keys take their time. */
final class TestPki {
    static final TestPki PKI = new TestPki();

    /** What kind of proxy to sign. */
    enum Kind {
        RFC,
        RFC_LIMITED,
        RFC_PATH_0,
        DRAFT,
        LEGACY,
        LEGACY_LIMITED
    }

    /** A signed certificate with its key and issuers. */
    record Credential(PrivateKey key, List<X509Certificate> chain) {
        X509Certificate leaf() {
            return chain.get(0);
        }

        String dn() {
            return leaf().getSubjectX500Principal().getName();
        }
    }

    final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final AtomicLong serials = new AtomicLong(1000);

    final Credential ca;
    final Credential user;
    final Credential stranger;
    final Credential voms;
    final Credential foreignUser;
    private final List<KeyPair> spare = new ArrayList<>();

    private TestPki() {
        ca = authority("CN=Test CA,O=Gelato,C=EU");
        user = endEntity(ca, "C=EU", "O=Gelato", "CN=Sample User");
        stranger = endEntity(ca, "C=EU", "O=Gelato", "CN=Other User");
        voms = endEntity(ca, "C=EU", "O=Gelato", "CN=voms.example.org");
        Credential foreignCa = authority("CN=Foreign CA,O=Elsewhere,C=EU");
        foreignUser = endEntity(foreignCa, "C=EU", "O=Gelato", "CN=Sample User");
    }

    X509CertChainValidatorExt validator() {
        try {
            KeyStore anchors = KeyStore.getInstance("PKCS12");
            anchors.load(null, null);
            anchors.setCertificateEntry("ca", ca.leaf());
            return new InMemoryKeystoreCertChainValidator(
                    anchors, new ValidatorParamsExt(RevocationParametersExt.IGNORE, ProxySupport.ALLOW));
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes a vomsdir that believes the VOMS server of this PKI for dteam. */
    void vomsdir(Path directory) throws IOException {
        Path vo = Files.createDirectories(directory.resolve("dteam"));
        Files.writeString(
                vo.resolve("voms.example.org.lsc"), "/C=EU/O=Gelato/CN=voms.example.org\n/C=EU/O=Gelato/CN=Test CA\n");
    }

    /** A proxy of an issuer for a key of somebody else: leaf first, then the issuer's chain. */
    List<X509Certificate> proxy(Credential issuer, PublicKey key, Kind kind, Instant begin, Instant end) {
        return sign(issuer, key, kind, begin, end, "SHA256withRSA", null, null);
    }

    List<X509Certificate> proxy(Credential issuer, PublicKey key, Kind kind) {
        return proxy(issuer, key, kind, now.minusSeconds(300), now.plus(Duration.ofHours(12)));
    }

    /** As an old client signs: SHA-1, and the last CN of the issuer once more. */
    List<X509Certificate> sha1Proxy(Credential issuer, PublicKey key) {
        String cn = issuer.leaf().getSubjectX500Principal().getName().replaceAll("^CN=([^,]*),.*$", "$1");
        return sign(
                issuer, key, Kind.RFC, now.minusSeconds(300), now.plus(Duration.ofHours(12)), "SHA1withRSA", cn, null);
    }

    /** The user's own proxy, as voms-proxy-init makes it. */
    Credential userProxy(String... fqans) {
        KeyPair key = key();
        List<X509Certificate> chain = sign(
                user,
                key.getPublic(),
                Kind.RFC,
                now.minusSeconds(300),
                now.plus(Duration.ofHours(24)),
                "SHA256withRSA",
                null,
                fqans.length == 0 ? null : attributes(user.leaf(), List.of(fqans), now.plus(Duration.ofHours(12))));
        return new Credential(key.getPrivate(), chain);
    }

    /** A proxy whose attribute certificate was made for somebody else. */
    Credential userProxyWithStolenAttributes() {
        KeyPair key = key();
        List<X509Certificate> chain = sign(
                user,
                key.getPublic(),
                Kind.RFC,
                now.minusSeconds(300),
                now.plus(Duration.ofHours(24)),
                "SHA256withRSA",
                null,
                attributes(stranger.leaf(), List.of("/dteam"), now.plus(Duration.ofHours(12))));
        return new Credential(key.getPrivate(), chain);
    }

    static PublicKey requestedKey(String csr) {
        try (PEMParser parser = new PEMParser(new StringReader(csr))) {
            return new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject()).getPublicKey();
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** A key pair that may have been used before, where only being other than those in use matters. */
    synchronized KeyPair spareKey() {
        if (spare.isEmpty()) {
            spare.add(key());
        }
        return spare.get(0);
    }

    static KeyPair key() {
        try {
            KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
            rsa.initialize(2048);
            return rsa.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private CertificateExtension attributes(X509Certificate holder, List<String> fqans, Instant end) {
        try {
            VOMSACGenerator generator =
                    new VOMSACGenerator(new KeyAndCertCredential(voms.key(), new X509Certificate[] {voms.leaf()}));
            return generator.generateVOMSExtension(List.of(generator.generateVOMSAttributeCertificate(
                    EnumSet.noneOf(ACGenerationProperties.class),
                    fqans,
                    List.of(),
                    List.of(),
                    holder,
                    BigInteger.valueOf(serials.incrementAndGet()),
                    Date.from(now.minusSeconds(300)),
                    Date.from(end),
                    "dteam",
                    "voms.example.org",
                    15000)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private List<X509Certificate> sign(
            Credential issuer,
            PublicKey key,
            Kind kind,
            Instant begin,
            Instant end,
            String algorithm,
            String cn,
            CertificateExtension attributes) {
        boolean legacy = kind == Kind.LEGACY || kind == Kind.LEGACY_LIMITED;
        BigInteger serial = legacy ? issuer.leaf().getSerialNumber() : BigInteger.valueOf(serials.incrementAndGet());
        String last = cn != null
                ? cn
                : kind == Kind.LEGACY ? "proxy" : kind == Kind.LEGACY_LIMITED ? "limited proxy" : serial.toString();
        X500Name issuerName = name(issuer.leaf());
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        for (var rdn : issuerName.getRDNs()) {
            subject.addMultiValuedRDN(rdn.getTypesAndValues());
        }
        subject.addRDN(BCStyle.CN, last);
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                issuerName, serial, Date.from(begin), Date.from(end), subject.build(), info(key));
        try {
            builder.addExtension(
                    Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
            ProxyPolicy policy = new ProxyPolicy(
                    kind == Kind.RFC_LIMITED ? ProxyPolicy.LIMITED_PROXY_OID : ProxyPolicy.INHERITALL_POLICY_OID);
            int length = kind == Kind.RFC_PATH_0 ? 0 : Integer.MAX_VALUE;
            if (kind == Kind.DRAFT) {
                builder.addExtension(
                        new ASN1ObjectIdentifier(DraftRFCProxyCertInfoExtension.DRAFT_EXTENSION_OID),
                        true,
                        new DraftRFCProxyCertInfoExtension(length, policy));
            } else if (!legacy) {
                builder.addExtension(
                        new ASN1ObjectIdentifier(RFCProxyCertInfoExtension.RFC_EXTENSION_OID),
                        true,
                        new RFCProxyCertInfoExtension(length, policy));
            }
            if (attributes
                    != null) { // the generator leaves out the outer one of the two sequences of the VOMS extension
                builder.addExtension(
                        new ASN1ObjectIdentifier(attributes.getOid()),
                        attributes.isCritical(),
                        new DERSequence(attributes.getValue()));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(signed(builder, algorithm, issuer.key()));
        chain.addAll(issuer.chain());
        return chain;
    }

    private Credential authority(String dn) {
        KeyPair key = key();
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        String[] parts = dn.split(",");
        for (int i = parts.length - 1; i >= 0; i--) {
            add(subject, parts[i]);
        }
        X500Name name = subject.build();
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(now.minus(Duration.ofDays(10))),
                Date.from(now.plus(Duration.ofDays(100))),
                name,
                info(key.getPublic()));
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(Extension.subjectKeyIdentifier, false, identifier(key.getPublic()));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return new Credential(key.getPrivate(), List.of(signed(builder, "SHA256withRSA", key.getPrivate())));
    }

    private Credential endEntity(Credential issuer, String... rdns) {
        KeyPair key = key();
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        for (String rdn : rdns) {
            add(subject, rdn);
        }
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                name(issuer.leaf()),
                BigInteger.valueOf(serials.incrementAndGet()),
                Date.from(now.minus(Duration.ofDays(9))),
                Date.from(now.plus(Duration.ofDays(90))),
                subject.build(),
                info(key.getPublic()));
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.subjectKeyIdentifier, false, identifier(key.getPublic()));
            builder.addExtension(
                    Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return new Credential(key.getPrivate(), List.of(signed(builder, "SHA256withRSA", issuer.key())));
    }

    private static void add(X500NameBuilder subject, String rdn) {
        String[] pair = rdn.split("=", 2);
        subject.addRDN(BCStyle.INSTANCE.attrNameToOID(pair[0]), pair[1]);
    }

    private static X500Name name(X509Certificate certificate) {
        return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    }

    private static SubjectPublicKeyInfo info(PublicKey key) {
        return SubjectPublicKeyInfo.getInstance(key.getEncoded());
    }

    private static SubjectKeyIdentifier identifier(PublicKey key) {
        return new BcX509ExtensionUtils().createSubjectKeyIdentifier(info(key));
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, String algorithm, PrivateKey key) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(key)));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new AssertionError(e);
        }
    }
}
