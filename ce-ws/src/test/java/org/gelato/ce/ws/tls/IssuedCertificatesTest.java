package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.ProxyBuilder;
import org.gelato.ce.testkit.pki.VomsIssuer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Certificates of the forms that real authorities issue get in: with and without proxies, and as those of VOMS servers. */
class IssuedCertificatesTest {
    private static final String PEOPLE = "/DC=test/DC=gelato/O=People/CN=";
    private static final KeyPair KEY = CertificateForm.rsa(2048);

    @TempDir
    static Path directory;

    private static GridPki pki;
    private static GridTrust trust;

    @BeforeAll
    static void open() {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        trust = trust();
    }

    private static GridTrust trust() {
        return new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1)),
                directory.resolve("trust"));
    }

    @AfterAll
    static void close() {
        trust.close();
    }

    private static Arguments form(String what, KeyPair keys, CertificateForm form) {
        return Arguments.of(what, form, keys);
    }

    static Stream<Arguments> forms() {
        return Stream.of(
                form("profile, own policy with its statement", KEY, CertificateForm.person(PEOPLE + "a")),
                form("one policy", KEY, CertificateForm.person(PEOPLE + "b").policies(CertificateForm.CLASSIC)),
                form("any policy", KEY, CertificateForm.person(PEOPLE + "c").policies(CertificateForm.ANY_POLICY)),
                form(
                        "any policy beside another",
                        KEY,
                        CertificateForm.person(PEOPLE + "d")
                                .policies(CertificateForm.CLASSIC, CertificateForm.ANY_POLICY)),
                form(
                        "critical policies",
                        KEY,
                        CertificateForm.person(PEOPLE + "e").criticalPolicies()),
                form("no policy", KEY, CertificateForm.person(PEOPLE + "f").policies()),
                form("no purpose", KEY, CertificateForm.person(PEOPLE + "g").purposes()),
                form(
                        "any purpose",
                        KEY,
                        CertificateForm.person(PEOPLE + "h").purposes(KeyPurposeId.anyExtendedKeyUsage)),
                form("no key usage", KEY, CertificateForm.person(PEOPLE + "i").usage(0)),
                form("a host's", KEY, CertificateForm.host("/DC=test/DC=gelato/O=Hosts/CN=pilots.gelato.test")),
                form("a robot's", KEY, CertificateForm.person(PEOPLE + "Robot: pilots of VO x - Jane Doe")),
                form(
                        "mail address in the name",
                        KEY,
                        CertificateForm.person(
                                "/DC=test/DC=gelato/C=XX/ST=Some Land/L=A Town/O=The Institute of Long Names, Ltd."
                                        + "/OU=Department of Physics and Astronomy/OU=Group of Computing/CN=Jane Q. Doe 123456"
                                        + "/emailAddress=jane.q.doe@physics.gelato.test")),
                form("P-256", CertificateForm.curve("secp256r1"), CertificateForm.person(PEOPLE + "l")),
                form("P-384", CertificateForm.curve("secp384r1"), CertificateForm.person(PEOPLE + "m")));
    }

    /** The VOMS library verifies the signatures of RSA keys alone. */
    static Stream<Arguments> formsOfRsaKeys() {
        return forms().filter(a -> a.get()[2] == KEY);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void aUserGetsInByItAndByEachKindOfProxyOfIt(String what, CertificateForm form, KeyPair keys) throws Exception {
        GridCredential user = pki.issue(form, keys);
        String dn = DnForms.rfc2253(user.certificate().getSubjectX500Principal());
        assertThat(identify(user.chain()).dn()).isEqualTo(dn);
        // Proxies below other keys are in OpensslCertificatesTest: the library that makes these signs with RSA alone.
        List<UnaryOperator<ProxyBuilder>> kinds = keys.getPrivate()
                        .getAlgorithm()
                        .equals("RSA")
                ? List.of(proxy -> proxy, ProxyBuilder::legacy, ProxyBuilder::draft, proxy -> proxy.delegations(2))
                : List.of();
        for (UnaryOperator<ProxyBuilder> kind : kinds) {
            GridIdentity identity = identify(kind.apply(pki.proxy(user)).make().chain());
            assertThat(identity.vomsErrors()).isEmpty();
            assertThat(identity.dn()).isEqualTo(dn);
            assertThat(identity.fqans()).containsExactly("/dteam");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("formsOfRsaKeys")
    void aVomsServerWithItIsBelieved(String what, CertificateForm form, KeyPair keys) throws Exception {
        GridCredential server = pki.issue(form, keys);
        VomsIssuer issuer = pki.vo("vo." + Integer.toHexString(what.hashCode()), server);
        List<X509Certificate> proxy = pki.proxy(pki.user("Alice"))
                .issuer(issuer)
                .fqans("/" + issuer.vo())
                .make()
                .chain();
        try (GridTrust now = trust()) {
            GridIdentity identity = identify(now, proxy);
            assertThat(identity.vomsErrors()).isEmpty();
            assertThat(identity.fqans()).containsExactly("/" + issuer.vo());
        }
    }

    private static GridIdentity identify(List<X509Certificate> chain) throws RefusedChainException {
        return identify(trust, chain);
    }

    private static GridIdentity identify(GridTrust trust, List<X509Certificate> chain) throws RefusedChainException {
        return new ChainIdentities(trust, Clock.systemUTC()).identify(chain.toArray(X509Certificate[]::new));
    }
}
