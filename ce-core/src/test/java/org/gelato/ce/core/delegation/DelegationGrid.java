package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.impl.InMemoryKeystoreCertChainValidator;
import eu.emi.security.authn.x509.impl.RevocationParametersExt;
import eu.emi.security.authn.x509.impl.ValidatorParamsExt;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.ProxyBuilder;

/** The grid of the tests of delegations; kept from run to run, one for each process of the tests, because RSA keys take their time. */
final class DelegationGrid {
    /** One instant for proxies and expectations; the tests of a process end long before the proxies do. */
    @SuppressWarnings("TimeInStaticInitializer")
    static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    static final GridPki PKI = GridPki.open(
            Path.of("target", "grid-" + System.getProperty("gelato.test.process", "ide")), "ce.gelato.test");
    static final GridCredential USER = PKI.user("Sample User");
    static final GridCredential OTHER = PKI.user("Other User");
    /** Has the name of {@link #USER} from a CA that nobody trusts. */
    static final GridCredential FOREIGN = PKI.stranger("Sample User");

    /** For where only being other than the keys in use matters. */
    static final KeyPair SPARE_KEY = key();

    private DelegationGrid() {}

    /** What kind of proxy to sign. */
    enum Kind {
        RFC,
        RFC_LIMITED,
        RFC_PATH_0,
        DRAFT,
        LEGACY,
        LEGACY_LIMITED;

        private ProxyBuilder of(GridCredential issuer) {
            ProxyBuilder proxy = PKI.proxy(issuer).fqans();
            return switch (this) {
                case RFC -> proxy;
                case RFC_LIMITED -> proxy.limited();
                case RFC_PATH_0 -> proxy.pathLength(0);
                case DRAFT -> proxy.draft();
                case LEGACY -> proxy.legacy();
                case LEGACY_LIMITED -> proxy.legacy().limited();
            };
        }
    }

    static X509CertChainValidatorExt validator() {
        try {
            KeyStore anchors = KeyStore.getInstance("PKCS12");
            anchors.load(null, null);
            anchors.setCertificateEntry("ca", PKI.authorityCertificate());
            return new InMemoryKeystoreCertChainValidator(
                    anchors, new ValidatorParamsExt(RevocationParametersExt.IGNORE, ProxySupport.ALLOW));
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A proxy of an issuer for a key of somebody else: leaf first, then the issuer's chain. */
    static List<X509Certificate> proxy(GridCredential issuer, PublicKey key, Kind kind) {
        return kind.of(issuer).signFor(key);
    }

    static List<X509Certificate> proxy(GridCredential issuer, PublicKey key, Kind kind, Instant begin, Instant end) {
        return kind.of(issuer).notBefore(begin).notAfter(end).signFor(key);
    }

    /** As an old client signs: SHA-1, and the last CN of the issuer once more. */
    static List<X509Certificate> sha1Proxy(GridCredential issuer, PublicKey key) {
        return new DelegationSigner(Clock.systemUTC())
                .sign(issuer, key, Duration.ofHours(12), DelegationSigner.Habit.ORIGINAL);
    }

    /** The user's own proxy, as voms-proxy-init makes it. */
    static GridCredential userProxy(String... fqans) {
        return PKI.proxy(USER).fqans(fqans).lifetime(Duration.ofHours(24)).make();
    }

    /** A proxy whose attribute certificate was made for somebody else. */
    static GridCredential userProxyWithStolenAttributes() {
        return PKI.proxy(USER).fqans().stolenFrom(OTHER).make();
    }

    static PublicKey requestedKey(String csr) {
        try (PEMParser parser = new PEMParser(new StringReader(csr))) {
            return new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject()).getPublicKey();
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
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
}
