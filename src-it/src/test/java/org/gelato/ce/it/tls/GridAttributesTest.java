package org.gelato.ce.it.tls;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.delegation.AttributeReader;
import org.gelato.ce.core.delegation.VomsAttributeReader;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.ProxyBuilder;
import org.gelato.ce.testkit.pki.VomsIssuer;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which VOMS attributes of a proxy count (docs/developer/protocol/behaviour.md section 3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GridAttributesTest {
    @TempDir
    static Path directory;

    private GridPki pki;
    private GridCredential alice;
    private GridTrust trust;
    private ChainIdentities identities;

    /**
     * One proxy and what is made of it.
     *
     * @param error what the text about refused attributes contains; empty when all are accepted
     */
    private record Case(String name, ProxyBuilder proxy, List<String> fqans, String vo, String error) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    void open() throws Exception {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        alice = pki.user("Alice Example");
        Path known = pki.vomsdir().resolve("dteam").resolve("voms.gelato.test.lsc");
        Files.copy(known, Files.createDirectory(pki.vomsdir().resolve("ops")).resolve("voms.gelato.test.lsc"));
        trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1)),
                directory.resolve("trust"));
        identities = new ChainIdentities(trust, Clock.systemUTC());
    }

    @AfterAll
    void close() {
        trust.close();
    }

    Stream<Case> proxies() {
        VomsIssuer ops = new VomsIssuer(pki.voms().credential(), "ops", "voms.gelato.test");
        VomsIssuer unknown = new VomsIssuer(pki.voms().credential(), "atlas", "voms.gelato.test");
        return Stream.of(
                new Case("none", proxy().fqans(), List.of(), null, ""),
                new Case(
                        "order is kept",
                        proxy().fqans("/dteam/Role=prod", "/dteam", "/dteam/x"),
                        List.of("/dteam/Role=prod", "/dteam", "/dteam/x"),
                        "dteam",
                        ""),
                new Case(
                        "empty role and capability are cut",
                        proxy().fqans("/dteam/Role=NULL/Capability=NULL", "/dteam/x/Role=NULL"),
                        List.of("/dteam", "/dteam/x"),
                        "dteam",
                        ""),
                new Case(
                        "the first certificate names the VO",
                        proxy().fqans().alsoFrom(ops, "/ops").alsoFrom(pki.voms(), "/dteam"),
                        List.of("/ops", "/dteam"),
                        "ops",
                        ""),
                new Case(
                        "an ended one gives nothing",
                        proxy().fqans().expiredAttributes("/dteam"),
                        List.of(),
                        null,
                        "VOMS attributes of VO dteam refused"),
                new Case(
                        "one for another holder gives nothing",
                        proxy().fqans().stolenFrom(pki.user("Bob Example")),
                        List.of(),
                        null,
                        "VOMS attributes of VO dteam refused"),
                new Case(
                        "one whose holder is named by issuer and serial number counts",
                        proxy().newFormat().fqans("/dteam/Role=prod", "/dteam"),
                        List.of("/dteam/Role=prod", "/dteam"),
                        "dteam",
                        ""),
                new Case(
                        "one for another certificate of the same CA gives nothing",
                        proxy().newFormat().fqans().stolenFrom(pki.user("Bob Example")),
                        List.of(),
                        null,
                        "made for the certificate with serial number "
                                + pki.user("Bob Example").certificate().getSerialNumber() + " of "),
                new Case(
                        "one for the same serial number of another CA gives nothing",
                        proxy().newFormat().fqans().stolenFrom(pki.stranger("Alice Example")),
                        List.of(),
                        null,
                        "AC holder check failed"),
                new Case(
                        "an ended one by issuer and serial number gives nothing",
                        proxy().newFormat().fqans().expiredAttributes("/dteam"),
                        List.of(),
                        null,
                        "AC not valid at current time"),
                new Case(
                        "one of an unknown VO gives nothing, the next counts",
                        proxy().fqans().alsoFrom(unknown, "/atlas").alsoFrom(pki.voms(), "/dteam"),
                        List.of("/dteam"),
                        "dteam",
                        "there is no atlas/voms.gelato.test.lsc"),
                new Case(
                        "one of a wrong issuer gives nothing",
                        proxy().fqans().alsoFrom(pki.impostor(), "/dteam"),
                        List.of(),
                        null,
                        "CN=impostor.gelato.test, dteam/voms.gelato.test.lsc expects"
                                + " /DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test"));
    }

    private ProxyBuilder proxy() {
        return pki.proxy(alice);
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void attributesCountWhenTheyAreBelieved(Case c) throws Exception {
        GridIdentity found = identify(c.proxy());
        assertThat(found.dn()).isEqualTo(alice.subject());
        assertThat(found.fqans()).isEqualTo(c.fqans());
        assertThat(found.vo()).isEqualTo(c.vo());
        if (c.error().isEmpty()) {
            assertThat(found.vomsErrors()).isEmpty();
        } else {
            assertThat(found.vomsErrors()).singleElement().asString().contains(c.error());
        }
    }

    /** 236 KB of names in a certificate were 295 KB in a response, and in memory as long as the chain was remembered. */
    @Test
    void whatAttributesOfAnybodySayIsCut() throws Exception {
        VomsIssuer talker = new VomsIssuer(pki.impostor().credential(), "v".repeat(20_000), "h".repeat(20_000));
        ProxyBuilder proxy = proxy().fqans();
        for (int i = 0; i < 10; i++) {
            proxy.alsoFrom(talker, "/atlas");
        }
        assertShort(identify(proxy).vomsErrors());
        assertShort(identify(proxy().fqans("/dteam", "/atlas/" + "x".repeat(20_000), "/b", "/c", "/d", "/e"))
                .vomsErrors());
        AttributeReader reader = new VomsAttributeReader(trust.attributeValidator(), trust::refusal);
        assertShort(reader.read(proxy.make().chain().toArray(X509Certificate[]::new))
                .errors());
    }

    /** Four texts of 200 characters at most in each, and what is the site's own. */
    private static void assertShort(List<String> errors) {
        assertThat(errors).isNotEmpty().hasSizeLessThanOrEqualTo(4);
        assertThat(errors).allSatisfy(error -> assertThat(error).hasSizeLessThan(1000));
    }

    @Test
    void delegatedProxiesAreReadAsThoseOfCallersAre() {
        AttributeReader reader = new VomsAttributeReader(trust.attributeValidator(), trust::refusal);
        AttributeReader.Attributes found = reader.read(proxy().newFormat()
                .fqans("/dteam")
                .delegations(1)
                .make()
                .chain()
                .toArray(X509Certificate[]::new));
        assertThat(found.errors()).isEmpty();
        assertThat(found.fqans()).containsExactly("/dteam");
    }

    @Test
    void thePrimaryAttributeIsTheFirstOfTheProxy() throws Exception {
        assertThat(identify(proxy().fqans("/dteam/Role=prod", "/dteam")).primaryFqan())
                .isEqualTo("/dteam/Role=prod");
        assertThat(identify(proxy().fqans()).primaryFqan()).isEmpty();
    }

    private GridIdentity identify(ProxyBuilder proxy) throws Exception {
        return identities.identify(proxy.make().chain().toArray(X509Certificate[]::new));
    }
}
