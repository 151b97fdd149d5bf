package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.ValidationResult;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyStrengthTest {
    private static final ChainRules RULES = new ChainRules(new RevocationLists(Path.of("/"), Clock.systemUTC()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RSA | 1024 | CN=u          | certificate CN=u has an RSA key of 1024 bits, at least 2048 are needed",
                "RSA | 512  | CN=u,CN=proxy | proxy CN=proxy,CN=u has an RSA key of 512 bits, at least 1024 are needed",
                "DSA | 1024 | CN=u          | certificate CN=u has a key of the kind DSA: RSA and elliptic curves are accepted"
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
