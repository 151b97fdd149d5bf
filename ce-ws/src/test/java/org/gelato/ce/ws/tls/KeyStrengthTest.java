package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.crypto.agreement.DHStandardGroups;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.italiangrid.voms.VOMSAttribute;
import org.italiangrid.voms.ac.VOMSACValidationStrategy;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyStrengthTest {
    static {
        CertificateUtils.configureSecProvider();
    }

    private static final ChainRules RULES = new ChainRules(new RevocationLists(Path.of("/"), Clock.systemUTC()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RSA | 1024 | CN=u          | certificate CN=u has an RSA key of 1024 bits, at least 2048 are needed",
                "RSA | 512  | CN=u,CN=proxy | proxy CN=proxy,CN=u has an RSA key of 512 bits, at least 1024 are needed",
                "DSA | 1024 | CN=u          | certificate CN=u has a key of the kind DSA: RSA and elliptic curves are"
                        + " accepted"
            })
    void aWeakKeyIsRefusedByName(String kind, int bits, String subject, String refusal) throws Exception {
        assertThat(KeyStrength.refusal(certificate(kind, bits, subject, "CN=u")))
                .hasValue(refusal);
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048, CN=u", "RSA, 1024, 'CN=u,CN=proxy'", "EC, 256, CN=u", "EC, 384, 'CN=u,CN=proxy'"})
    void aKeyOfItsDaysIsAccepted(String kind, int bits, String subject) throws Exception {
        assertThat(KeyStrength.refusal(certificate(kind, bits, subject, "CN=u")))
                .isEmpty();
    }

    @Test
    void aCertificateOfAWeakAuthorityIsRefused() throws Exception {
        X509Certificate weak = certificate("RSA", 1024, "CN=ca", "CN=ca");
        X509Certificate user = certificate("RSA", 2048, "CN=u", "CN=ca");
        X509Certificate[] chain = {user};
        ValidationResult below = new ValidationResult(true, List.of(), Set.of(), List.of(user, weak));
        ValidationResult refused = RULES.judge(chain, below, new X509Certificate[] {weak});
        assertThat(refused.isValid()).isFalse();
        assertThat(refused.getErrors())
                .singleElement()
                .extracting(e -> e.getMessage())
                .isEqualTo("certificate CN=ca has an RSA key of 1024 bits, at least 2048 are needed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "16384 | 17    | certificate CN=u has an RSA key of 16384 bits with an exponent of 17, at most 8192"
                        + " and 64 are accepted",
                "2048  | 2047  | certificate CN=u has an RSA key of 2048 bits with an exponent of 2047, at most 8192"
                        + " and 64 are accepted"
            })
    void aKeyThatCostsMuchIsRefusedByName(int bits, int exponent, String refusal) throws Exception {
        assertThat(KeyStrength.costly(withKey(rsa(bits, exponent)))).hasValue(refusal);
    }

    @Test
    void keysOfAllDaysCostLittle() throws Exception {
        assertThat(KeyStrength.costly(withKey(rsa(8192, 17)))).isEmpty();
        assertThat(KeyStrength.costly(certificate("RSA", 1024, "CN=u,CN=proxy", "CN=u")))
                .isEmpty();
        for (int bits : new int[] {256, 384, 521}) {
            assertThat(KeyStrength.costly(certificate("EC", bits, "CN=u", "CN=u")))
                    .isEmpty();
        }
        assertThat(KeyStrength.costly(certificate("Ed25519", 255, "CN=u", "CN=u")))
                .isEmpty();
    }

    @Test
    void otherKindsAndOtherCurvesAreRefusedBeforeTheyAreUsed() throws Exception {
        assertThat(KeyStrength.costly(certificate("DSA", 1024, "CN=u", "CN=u")))
                .hasValueSatisfying(why -> assertThat(why).contains("of the kind 1.2.840.10040.4.1"));
        X9ECParameters large = ECNamedCurveTable.getByName("sect571r1");
        assertThat(KeyStrength.costly(withKey(curve(SECObjectIdentifiers.sect571r1, large))))
                .hasValueSatisfying(why -> assertThat(why).contains("no name or more than 521 bits"));
        // A curve with its parameters in place of a name; the JDK reads none either.
        X9ECParameters own = ECNamedCurveTable.getByName("secp256r1");
        assertThatThrownBy(() -> withKey(curve(own, own)))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("Only named ECParameters");
        X509Certificate byTheLibrary =
                new JcaX509CertificateConverter().setProvider("BC").getCertificate(holder(curve(own, own)));
        assertThat(KeyStrength.costly(byTheLibrary)).isPresent();
    }

    /** Bouncy Castle reads what the JDK refuses, and would test whether the modulus is a prime. */
    @Test
    void aCertificateIsReadWithoutALongComputation() throws Exception {
        HandshakeLimits.apply();
        BigInteger prime = DHStandardGroups.rfc3526_4096.getP();
        X509Certificate read = withKey(rsa(prime, prime.subtract(BigInteger.TWO)));
        assertThat(KeyStrength.costly(read)).isPresent();
        assertThatThrownBy(() -> withKey(rsa(16_384, 16_383))).isInstanceOf(CertificateException.class);
    }

    @Test
    void certificatesBesideAttributesThatCostMuchAreNotUsed() throws Exception {
        X509Certificate[] issuers = {withKey(rsa(2048, 2047))};
        VOMSAttribute attributes = (VOMSAttribute) Proxy.newProxyInstance(
                VOMSAttribute.class.getClassLoader(),
                new Class<?>[] {VOMSAttribute.class},
                (proxy, method, arguments) -> method.getName().equals("getAACertificates") ? issuers : null);
        AttributeHolder holder = new AttributeHolder((VOMSACValidationStrategy) Proxy.newProxyInstance(
                VOMSAttribute.class.getClassLoader(),
                new Class<?>[] {VOMSACValidationStrategy.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException("used");
                }));
        VOMSValidationResult result = holder.validateAC(attributes, new X509Certificate[] {issuers[0]});
        assertThat(result.isValid()).isFalse();
        assertThat(result.getValidationErrors().get(0).getMessage()).contains("with an exponent of 2047");
        assertThat(holder.validateAC(attributes).isValid()).isFalse();
    }

    /** Without a private key: what matters here is read and refused before. */
    static X509Certificate withKey(SubjectPublicKeyInfo key) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(holder(key).getEncoded()));
    }

    static SubjectPublicKeyInfo rsa(int bits, int exponent) throws Exception {
        // Without small factors, by which Bouncy Castle knows a modulus that is none.
        BigInteger small = BigInteger.ONE;
        for (int i = 3; i < 2000; i += 2) {
            small = small.multiply(BigInteger.valueOf(i));
        }
        Random random = new Random(bits);
        BigInteger modulus = number(bits, random);
        while (!modulus.gcd(small).equals(BigInteger.ONE)) {
            modulus = number(bits, random);
        }
        return rsa(modulus, number(exponent, random));
    }

    private static BigInteger number(int bits, Random random) {
        return new BigInteger(bits, random).setBit(bits - 1).setBit(0);
    }

    private static SubjectPublicKeyInfo rsa(BigInteger modulus, BigInteger exponent) throws Exception {
        return new SubjectPublicKeyInfo(
                new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                new RSAPublicKey(modulus, exponent));
    }

    private static SubjectPublicKeyInfo curve(ASN1Encodable parameters, X9ECParameters curve) {
        return new SubjectPublicKeyInfo(
                new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, parameters),
                curve.getG().getEncoded(false));
    }

    private static X509CertificateHolder holder(SubjectPublicKeyInfo key) throws Exception {
        KeyPairGenerator signing = KeyPairGenerator.getInstance("EC");
        signing.initialize(256);
        Instant now = Instant.now();
        return new X509v3CertificateBuilder(
                        new X500Name("CN=u"),
                        BigInteger.ONE,
                        Date.from(now.minusSeconds(60)),
                        Date.from(now.plusSeconds(3600)),
                        new X500Name("CN=u"),
                        key)
                .build(new JcaContentSignerBuilder("SHA256withECDSA")
                        .build(signing.generateKeyPair().getPrivate()));
    }

    @Test
    void onlyAuthenticatedEncryptionIsOffered() {
        assertThat(CipherSuites.strong(new String[] {
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
                    "TLS_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_RSA_WITH_AES_128_CBC_SHA",
                    "TLS_EMPTY_RENEGOTIATION_INFO_SCSV"
                }))
                .hasSize(5)
                .noneMatch(name -> name.contains("CBC") || name.startsWith("TLS_RSA"));
        assertThatThrownBy(() -> CipherSuites.strong(new String[] {"TLS_RSA_WITH_AES_128_CBC_SHA"}))
                .hasMessageContaining("none of the connector's cipher suites is strong enough");
    }

    /** Signed by whatever key: only names and keys count here. */
    private static X509Certificate certificate(String kind, int bits, String subject, String issuer) throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance(kind);
        keys.initialize(bits);
        KeyPair pair = keys.generateKeyPair();
        KeyPairGenerator signing = KeyPairGenerator.getInstance("EC");
        signing.initialize(256);
        Instant now = Instant.now();
        return new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                new X500Name(issuer),
                                BigInteger.ONE,
                                Date.from(now),
                                Date.from(now.plusSeconds(3600)),
                                new X500Name(subject),
                                pair.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withECDSA")
                                .build(signing.generateKeyPair().getPrivate())));
    }
}
