package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Chains that clients make up: what they hold beside the path to a CA neither costs time nor hides a rule. */
class SentChainsTest {
    private static final String PEOPLE = "/DC=test/DC=gelato/O=People";
    private static final String HOSTS = "/DC=test/DC=gelato/O=Hosts";
    private static final KeyPair KEY = CertificateForm.rsa(2048);
    private static final KeyPair CURVE = CertificateForm.curve("secp256r1");

    @TempDir
    static Path directory;

    private static GridPki pki;

    @BeforeAll
    static void open() {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
    }

    /** The library would go through them in years; the limit ends the test then. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void manyCertificatesOfOneNameAreRefusedWithoutASearch() throws Exception {
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(made("CN=x", "CN=x"));
        chain.add(made("CN=x", "CN=absent"));
        while (chain.size() < 30) {
            chain.add(made("CN=x", "CN=x"));
        }
        assertThatThrownBy(() -> check(chain))
                .hasMessageContaining("more than 2 certificates of the chain have the same subject");
        List<X509Certificate> belowProxies = new ArrayList<>(
                pki.proxy(pki.user("Alice")).legacy().delegations(1).make().chain());
        belowProxies.addAll(chain.subList(0, 20));
        assertThatThrownBy(() -> check(belowProxies)).hasMessageContaining("have the same subject");
    }

    /** Each name has two certificates with different issuers, all signed: as many paths as there are trails of such a graph. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPathThroughManyNamesTwiceIsRefusedWithoutASearch() throws Exception {
        List<X509Certificate> chain = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            chain.add(made("CN=" + i % 15, "CN=" + (i + 1) % 15));
        }
        assertThatThrownBy(() -> check(chain)).hasMessageContaining("leads through more than one CA twice");
    }

    @Test
    void aUserGetsInWithWhatIsSuperfluousAndInAnyOrder() throws Exception {
        for (List<X509Certificate> user : List.of(
                pki.user("Bob").chain(),
                pki.proxy(pki.user("Bob")).make().chain(),
                pki.proxy(pki.user("Bob")).legacy().delegations(2).make().chain())) {
            List<X509Certificate> chain = new ArrayList<>(user);
            chain.add(made("CN=junk", "CN=junk"));
            chain.add(made("CN=junk", "CN=other"));
            chain.add(pki.authorityCertificate());
            chain.add(pki.authorityCertificate());
            assertThatCode(() -> check(chain)).doesNotThrowAnyException();
            Collections.reverse(chain.subList(user.size(), chain.size()));
            assertThatCode(() -> check(chain)).doesNotThrowAnyException();
        }
    }

    @Test
    void constraintsOfACaHoldWhateverTheChainEndsIn() throws Exception {
        CertificateForm ca =
                CertificateForm.authority("/DC=test/DC=gelato/CN=Evaded").namesBelow(HOSTS);
        List<X509Certificate> chain = new ArrayList<>(
                pki.issueBelow(ca, "/DC=test/*", person("Mallory"), KEY).chain());
        chain.add(made("CN=junk", "CN=junk"));
        assertThatThrownBy(() -> check(chain)).hasMessageContaining("a CA of the chain constrains names");
    }

    @Test
    void constraintsOfTheTopmostCaKnownLetThoseWithinPassAndNobodyElse() throws Exception {
        Set<Path> before = anchors();
        CertificateForm ca =
                CertificateForm.authority("/DC=test/DC=gelato/CN=Topmost").namesBelow(HOSTS);
        CertificateForm host = CertificateForm.host(HOSTS + "/CN=a.gelato.test");
        GridCredential within = pki.issueBelow(ca, "/DC=test/*", host, KEY);
        Path alone = copied(before, "alone");
        assertThatCode(() -> check(alone, pki.proxy(within).make().chain())).doesNotThrowAnyException();

        before = anchors();
        CertificateForm other =
                CertificateForm.authority("/DC=test/DC=gelato/CN=Topmost 2").namesBelow(HOSTS);
        GridCredential outside = pki.issueBelow(other, "/DC=test/*", person("Carol"), KEY);
        Path second = copied(before, "second");
        assertThatThrownBy(() -> check(second, outside.chain()))
                .hasMessageContaining("a CA of the chain constrains names, and the chain is not within: CN=Carol");
    }

    @Test
    void aUserWithTheNameOfAProxyNeedsThePolicyOfHisCaAsAnyOther() {
        for (String name : List.of("proxy", "limited proxy")) {
            assertThatCode(() -> check(named(name, PEOPLE + "/*"))).doesNotThrowAnyException();
            assertThatThrownBy(() -> check(named(name, HOSTS + "/*")))
                    .hasMessageContaining("CN=" + name)
                    .hasMessageContaining("namespace");
            assertThatThrownBy(() -> check(named(name, null)))
                    .hasMessageContaining("is not defined, and namespaces are configured to be required");
        }
    }

    /** Verifying their signatures would take a thread a minute; the limit ends the test then. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void keysThatCostMuchAreRefusedBeforeAnySignatureIsVerified() throws Exception {
        X509Certificate costly = KeyStrengthTest.withKey(KeyStrengthTest.rsa(16_384, 64));
        assertThatThrownBy(() -> check(Collections.nCopies(20, costly)))
                .hasMessageContaining("has an RSA key of 16384 bits");
        List<X509Certificate> besideAUser = new ArrayList<>(pki.user("Alice").chain());
        besideAUser.add(costly);
        assertThatThrownBy(() -> check(besideAUser)).hasMessageContaining("has an RSA key of 16384 bits");
    }

    @Test
    void noAddressInACertificateIsConnectedTo() throws Exception {
        try (ServerSocket addressed = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + addressed.getLocalPort() + "/";
            CertificateForm ca =
                    CertificateForm.authority("/DC=test/DC=gelato/CN=Addressed").servedAt(url);
            GridCredential user =
                    pki.issueBelow(ca, "/DC=test/*", person("Addressee").servedAt(url), KEY);
            assertThatCode(() -> check(pki.proxy(user).make().chain())).doesNotThrowAnyException();
            // Nor to find an issuer that is missing.
            X509Certificate stranger =
                    pki.stranger(person("Stranger").servedAt(url)).chain().get(0);
            assertThatThrownBy(() -> check(List.of(stranger))).isInstanceOf(RefusedChainException.class);
            addressed.setSoTimeout(1);
            assertThatThrownBy(addressed::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aNameAsLongAsAHandshakeIsCutInTheReason() throws Exception {
        X509Certificate endless = made("CN=xxx" + ",OU=unit".repeat(5000), "CN=absent");
        assertThatThrownBy(() -> check(List.of(endless))).isInstanceOfSatisfying(RefusedChainException.class, e -> {
            assertThat(e.subject()).contains("OU=unit").hasSizeLessThan(310);
            assertThat(e.getMessage()).isNotEmpty().hasSizeLessThan(310);
        });
    }

    @Test
    void aTargetWithoutNameIsRefusedWhereverAttributesAreRead() {
        GridCredential some = pki.proxy(pki.user("Dora")).targets().make();
        X509Certificate[] chain = some.chain().toArray(X509Certificate[]::new);
        try (GridTrust trust = new GridTrust(config(pki.certificates()), directory.resolve("trust"))) {
            assertThat(trust.voms().find(chain).errors())
                    .singleElement()
                    .asString()
                    .contains("for some hosts only");
            assertThatThrownBy(() -> trust.attributeValidator().validateWithResult(chain))
                    .hasMessageContaining("for some hosts only");
        }
        // The library reads the first proxy that has any.
        assertThat(Targets.unreadable(pki.proxy(some).make().chain().toArray(X509Certificate[]::new)))
                .isFalse();
        assertThat(Targets.unreadable(pki.proxy(some).fqans().make().chain().toArray(X509Certificate[]::new)))
                .isTrue();
    }

    private static List<X509Certificate> named(String user, String policy) {
        String ca = "/DC=test/DC=gelato/CN=Names " + user + " " + (policy == null ? "none" : policy.charAt(20));
        return pki.issueBelow(CertificateForm.authority(ca), policy, person(user), KEY)
                .chain();
    }

    private static CertificateForm person(String name) {
        return CertificateForm.person(PEOPLE + "/CN=" + name);
    }

    private static X509Certificate made(String subject, String issuer) throws Exception {
        Date now = Date.from(Instant.now());
        return new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                new X500Name(issuer),
                                BigInteger.valueOf(System.nanoTime()),
                                Date.from(Instant.now().minus(Duration.ofHours(1))),
                                Date.from(now.toInstant().plus(Duration.ofHours(1))),
                                new X500Name(subject),
                                CURVE.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withECDSA").build(CURVE.getPrivate())));
    }

    private static Set<Path> anchors() throws IOException {
        try (Stream<Path> files = Files.list(pki.certificates())) {
            return files.collect(Collectors.toSet());
        }
    }

    private static Path copied(Set<Path> without, String name) throws IOException {
        Set<Path> added = new HashSet<>(anchors());
        added.removeAll(without);
        assertThat(added).isNotEmpty();
        Path to = Files.createDirectory(directory.resolve(name));
        for (Path file : added) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
        return to;
    }

    private static void check(List<X509Certificate> chain) throws RefusedChainException {
        check(pki.certificates(), chain);
    }

    private static void check(Path authorities, List<X509Certificate> chain) throws RefusedChainException {
        try (GridTrust trust = new GridTrust(config(authorities), directory.resolve("trust"))) {
            trust.check(chain.toArray(X509Certificate[]::new));
        }
    }

    private static TrustConfig config(Path authorities) {
        return new TrustConfig(
                authorities,
                pki.vomsdir(),
                CrlCheckingMode.REQUIRE,
                Duration.ofHours(1),
                // The topmost CA of a directory may have an issuer, which has no policy there.
                authorities.equals(pki.certificates())
                        ? TrustConfig.SigningPolicy.REQUIRE
                        : TrustConfig.SigningPolicy.IF_PRESENT,
                TrustConfig.KeyUsage.CHECK);
    }
}
