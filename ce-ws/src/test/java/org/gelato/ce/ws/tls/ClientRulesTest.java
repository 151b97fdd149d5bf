package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which valid certificates are no user's, and what a CA may sign. */
class ClientRulesTest {
    private static final String PEOPLE = "/DC=test/DC=gelato/O=People/CN=";
    private static final KeyPair KEY = CertificateForm.rsa(2048);

    @TempDir
    static Path directory;

    private static GridPki pki;

    @BeforeAll
    static void open() {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
    }

    @Test
    void aCertificateForOtherUsesIsNoUsers() {
        CertificateForm server = person("a").purposes(KeyPurposeId.id_kp_serverAuth);
        CertificateForm mail = person("b").purposes(KeyPurposeId.id_kp_emailProtection);
        CertificateForm lists = person("c").usage(KeyUsage.cRLSign);
        refused(server, "CN=a,O=People,DC=gelato,DC=test is not for TLS clients: its extended key usage is serverAuth");
        refused(mail, "is not for TLS clients: its extended key usage is emailProtection, without clientAuth");
        refused(lists, "is not for TLS clients: its key usage has no digitalSignature");
        for (CertificateForm form : List.of(server, mail, lists)) {
            assertThatCode(() -> check(lenient(), pki.issue(form, KEY).chain())).doesNotThrowAnyException();
        }
    }

    @Test
    void aProxyOfACertificateForServersAloneIsRefusedAsItIs() {
        GridCredential server = pki.issue(person("d").purposes(KeyPurposeId.id_kp_serverAuth), KEY);
        assertThatThrownBy(() -> check(strict(), pki.proxy(server).make().chain()))
                .hasMessageContaining("its extended key usage is serverAuth");
    }

    @Test
    void theServerOfAVoMayHaveACertificateForServersAlone() throws Exception {
        GridCredential server = pki.issue(
                CertificateForm.host("/DC=test/DC=gelato/O=Hosts/CN=voms2.gelato.test")
                        .purposes(KeyPurposeId.id_kp_serverAuth),
                KEY);
        List<X509Certificate> proxy = pki.proxy(pki.user("Alice"))
                .issuer(pki.vo("vo.servers", server))
                .fqans("/vo.servers")
                .make()
                .chain();
        try (GridTrust trust = new GridTrust(strict(), directory.resolve("trust"))) {
            VomsAttributes.Found found = trust.voms().find(proxy.toArray(X509Certificate[]::new));
            assertThat(found.errors()).isEmpty();
            assertThat(found.fqans()).containsExactly("/vo.servers");
        }
    }

    @Test
    void aCaIsNoUserWhateverIsConfigured() {
        CertificateForm ca = person("e").markedAsAuthority();
        for (TrustConfig config : List.of(strict(), lenient())) {
            assertThatThrownBy(() -> check(config, pki.issue(ca, KEY).chain()))
                    .hasMessageContaining("is that of a CA, and a CA is no user");
            assertThatThrownBy(() -> check(config, List.of(pki.authorityCertificate())))
                    .hasMessageContaining("is that of a CA, and a CA is no user");
        }
    }

    @Test
    void aCaWithoutAPolicySignsNobodyThoughTheRootsPolicyLetsItsNamePass() {
        GridCredential user = below(CertificateForm.authority(name("Without Policy")), null, "f");
        assertThatThrownBy(() -> check(strict(), user.chain()))
                .hasMessageContaining("CN=Without Policy")
                .hasMessageContaining("is not defined, and namespaces are configured to be required");
        assertThatCode(() -> check(lenient(), user.chain())).doesNotThrowAnyException();
    }

    @Test
    void aCaThatIsSentByTheClientNeedsAPolicyToo() throws Exception {
        GridCredential user = pki.user("Alice");
        List<X509Certificate> whole = new ArrayList<>(user.chain());
        whole.add(pki.authorityCertificate());
        assertThatCode(() -> check(strict(), whole)).doesNotThrowAnyException();
    }

    @Test
    void namesThatACaMayNotSignAreRefusedThoughItsPolicyLetsThemPass() {
        CertificateForm ca = CertificateForm.authority(name("Constrained")).namesBelow("/DC=test/DC=gelato/O=Hosts");
        GridCredential person = below(ca, "/DC=test/*", "g");
        assertThatThrownBy(() -> check(strict(), person.chain()))
                .hasMessageContaining("a CA of the chain constrains names, and the chain is not within");
        GridCredential host = pki.issueBelow(
                CertificateForm.authority(name("Constrained 2")).namesBelow("/DC=test/DC=gelato/O=Hosts"),
                "/DC=test/*",
                CertificateForm.host("/DC=test/DC=gelato/O=Hosts/CN=a.gelato.test"),
                KEY);
        assertThatCode(() -> check(strict(), pki.proxy(host).make().chain())).doesNotThrowAnyException();
    }

    private static GridCredential below(CertificateForm form, String policy, String user) {
        return pki.issueBelow(form, policy, person(user), KEY);
    }

    private static String name(String ca) {
        return "/DC=test/DC=gelato/CN=" + ca;
    }

    private static CertificateForm person(String name) {
        return CertificateForm.person(PEOPLE + name);
    }

    private static void refused(CertificateForm form, String why) {
        assertThatThrownBy(() -> check(strict(), pki.issue(form, KEY).chain())).hasMessageContaining(why);
    }

    private static void check(TrustConfig config, List<X509Certificate> chain) throws RefusedChainException {
        try (GridTrust trust = new GridTrust(config, directory.resolve("trust"))) {
            trust.check(chain.toArray(X509Certificate[]::new));
        }
    }

    private static TrustConfig strict() {
        return new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1));
    }

    private static TrustConfig lenient() {
        return new TrustConfig(
                pki.certificates(),
                pki.vomsdir(),
                CrlCheckingMode.REQUIRE,
                Duration.ofHours(1),
                TrustConfig.SigningPolicy.IF_PRESENT,
                TrustConfig.KeyUsage.IGNORE);
    }
}
