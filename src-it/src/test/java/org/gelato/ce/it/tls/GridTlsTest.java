package org.gelato.ce.it.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.authorization.GridmapConfig;
import org.gelato.ce.it.tls.WhoAmIServer.Response;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.VomsIssuer;
import org.gelato.ce.ws.tls.ProxyTrustManager;
import org.gelato.ce.ws.tls.TlsConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Who gets in with what, over a real connector (docs/developer/protocol/behaviour.md section 3). */
class GridTlsTest {
    private static final String ALICE = "CN=Alice Example,O=People,DC=gelato,DC=test";

    @TempDir
    static Path directory;

    private static GridPki pki;
    private static GridCredential alice;
    private static Path gridmap;
    private static Path banned;
    private static GridmapAuthorizer authorizer;
    private static ScheduledExecutorService scheduler;
    private static WhoAmIServer server;
    private static final AtomicReference<Duration> AHEAD = new AtomicReference<>(Duration.ZERO);
    /** The wall clock, moved ahead by tests. */
    private static final Clock MOVED = ((InstantSource) () -> Instant.now().plus(AHEAD.get())).withZone(ZoneOffset.UTC);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger tlsLog = (Logger) LoggerFactory.getLogger(ProxyTrustManager.class);

    @BeforeAll
    static void start() throws Exception {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        alice = pki.user("Alice Example");
        gridmap = Files.writeString(directory.resolve("grid-mapfile"), "\"/dteam/*\" dteam001\n");
        banned = directory.resolve("ban_users.db");
        scheduler = Executors.newSingleThreadScheduledExecutor();
        authorizer = new GridmapAuthorizer(new GridmapConfig(gridmap, banned, null, Duration.ofHours(1)), scheduler);
        server = new WhoAmIServer(
                pki, config("1s"), MOVED, authorizer, Files.createDirectory(directory.resolve("tomcat")));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        scheduler.shutdownNow();
    }

    @BeforeEach
    void attach() {
        log.start();
        // The level of the tests of another module counts where its classes are on the class path.
        tlsLog.setLevel(Level.INFO);
        tlsLog.addAppender(log);
    }

    @AfterEach
    void detach() {
        tlsLog.detachAppender(log);
        AHEAD.set(Duration.ZERO);
    }

    @Test
    void anRfcProxyWithVomsAttributesIsMapped() throws Exception {
        GridCredential proxy = pki.proxy(alice)
                .fqans("/dteam/Role=production", "/dteam/Role=NULL/Capability=NULL")
                .make();
        assertThat(server.ask(proxy))
                .isEqualTo(new Response(
                        200, "TLSv1.3|" + ALICE + "|[/dteam/Role=production, /dteam]|dteam|full|dteam001"));
    }

    @Test
    void everyKindOfProxyIsItsUser() throws Exception {
        assertThat(server.ask(pki.proxy(alice).legacy().make()).text()).contains(ALICE + "|[/dteam]|dteam|full");
        assertThat(server.ask(pki.proxy(alice).draft().make()).text()).contains(ALICE + "|[/dteam]|dteam|full");
        assertThat(server.ask(pki.proxy(alice).delegations(2).make()).text()).contains(ALICE + "|[/dteam]|dteam|full");
        assertThat(server.ask(pki.proxy(alice).limited().make()).text()).contains(ALICE + "|[/dteam]|dteam|limited");
        assertThat(server.ask(pki.proxy(alice).legacy().limited().make()).text())
                .contains("|limited|");
        assertThat(server.ask(pki.proxy(alice).limited().delegations(1).make()).text())
                .contains("|limited|");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void bothTlsVersionsWork(String version) throws Exception {
        SSLContext context = server.context(version, pki.proxy(alice).make());
        assertThat(server.ask(context).text()).startsWith(version + "|");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aProxyWithAKeyOf1024BitsIsBelieved(String version) throws Exception {
        SSLContext context = server.context(version, pki.proxy(alice).bits(1024).make());
        assertThat(server.ask(context).text()).startsWith(version + "|" + ALICE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aUserWithAKeyOnACurveIsBelieved(String version) throws Exception {
        CertificateForm form = CertificateForm.person("/DC=test/DC=gelato/O=People/CN=Curve Example");
        SSLContext context = server.context(version, pki.issue(form, CertificateForm.curve("secp256r1")));
        assertThat(server.ask(context).text()).contains("CN=Curve Example,O=People,DC=gelato,DC=test");
    }

    @Test
    void keysThatCanBeBrokenFailTheHandshake() {
        assertRefused(pki.proxy(alice).bits(768).make(), "RSA key of 768 bits, at least 1024 are needed");
        assertRefused(
                pki.proxy(pki.user("Weak Example", 1024)).make(), "RSA key of 1024 bits, at least 2048 are needed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
            })
    void authenticatedEncryptionOnTls12Works(String suite) throws Exception {
        assertThat(handshake(suite)).isEqualTo(suite);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
                "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
                "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256"
            })
    void cipherBlockChainingIsRefused(String suite) {
        assertThatThrownBy(() -> handshake(suite)).isInstanceOf(SSLException.class);
    }

    private static String handshake(String suite) throws Exception {
        SSLContext context = server.context("TLSv1.2", pki.proxy(alice).make());
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", server.port())) {
            socket.setEnabledCipherSuites(new String[] {suite});
            socket.startHandshake();
            return socket.getSession().getCipherSuite();
        }
    }

    @Test
    void aPlainCertificateIsKnownButHasNoAttributes() throws Exception {
        Response response = server.ask(alice);
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.text())
                .startsWith(ALICE + " not authorized: the DN is not mapped")
                .contains("no valid VOMS");
    }

    @Test
    void withoutACertificateTlsPassesAndAuthorizationDoesNot() throws Exception {
        assertThat(server.ask((GridCredential) null))
                .isEqualTo(new Response(
                        403, "no client certificate was presented: connect with a grid proxy or a user certificate"));
    }

    @Test
    void anExpiredProxyFailsTheHandshake() {
        assertRefused(pki.proxy(alice).expired().make(), "ended at");
    }

    @Test
    void aProxyOfTheFutureFailsTheHandshake() {
        assertRefused(
                pki.proxy(alice)
                        .fqans()
                        .notBefore(Instant.now().plus(Duration.ofHours(2)))
                        .make(),
                "the clock of this CE shows");
    }

    @Test
    void anUnknownCaFailsTheHandshake() {
        assertRefused(pki.proxy(pki.stranger("Alice Example")).make(), "");
    }

    @Test
    void aNameOutsideTheSigningPolicyFailsTheHandshake() {
        assertRefused(pki.proxy(pki.outsider("Eve")).make(), "signing_policy");
    }

    @Test
    void aProxyThatInheritsNothingFailsTheHandshake() {
        assertRefused(pki.proxy(alice).policy("1.3.6.1.5.5.7.21.2").make(), "does not inherit");
    }

    @Test
    void aNewCrlCountsAfterTheRefresh() throws Exception {
        GridCredential bob = pki.user("Bob Example");
        GridCredential proxy = pki.proxy(bob).make();
        assertThat(server.ask(proxy).status()).isEqualTo(200);
        pki.revoke(bob);
        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(() -> server.ask(proxy)).isInstanceOf(IOException.class));
        assertRefused(proxy, "revoked");
        assertThat(server.ask(pki.proxy(alice).make()).status()).isEqualTo(200);
    }

    @Test
    void attributesOfAWrongIssuerAreNotBelieved() throws Exception {
        Response response = server.ask(pki.proxy(alice).issuer(pki.impostor()).make());
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.text())
                .contains("not authorized: the DN is not mapped")
                .contains("\nVOMS attributes of VO dteam refused: issued by"
                        + " /DC=test/DC=gelato/O=Hosts/CN=impostor.gelato.test, dteam/voms.gelato.test.lsc expects"
                        + " /DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test: ");
    }

    @Test
    void attributesOfAnUnknownVoNameTheMissingFile() throws Exception {
        VomsIssuer unknown = new VomsIssuer(pki.voms().credential(), "atlas", "voms.gelato.test");
        Response response =
                server.ask(pki.proxy(alice).issuer(unknown).fqans("/atlas").make());
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.text()).contains("there is no atlas/voms.gelato.test.lsc");
    }

    @Test
    void anIssuerSpeaksForItsOwnVoOnly() throws Exception {
        Response response = server.ask(
                pki.proxy(alice).fqans("/atlas/Role=production", "/dteam").make());
        assertThat(response.text()).contains("|[/dteam]|dteam|");
    }

    @Test
    void malformedAttributesAreNotBelievedAndBreakNothing() throws Exception {
        GridCredential proxy = pki.proxy(alice)
                .fqans()
                .extension("1.3.6.1.4.1.8005.100.100.5", new DERSequence(new DERUTF8String("no attribute certificate")))
                .make();
        Response response = server.ask(proxy);
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.text()).contains("\nVOMS attributes can't be read: ");
    }

    @Test
    void attributesForSomeHostsOnlyAreRefusedWithWhatToDo() throws Exception {
        Response response = server.ask(pki.proxy(alice).targets().make());
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.text())
                .contains("\nVOMS attributes refused: they are for some hosts only (made with -target)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aProxyThatWasDelegatedTwentyTimesGetsIn(String version) throws Exception {
        SSLContext context =
                server.context(version, pki.proxy(alice).delegations(20).make());
        assertThat(server.ask(context).text()).contains(ALICE + "|[/dteam]|dteam|full");
    }

    @Test
    void aChainThatIsTooLongIsRefusedWithAReason() {
        assertRefused(pki.proxy(alice).delegations(30).make(), "the chain holds 32 certificates");
    }

    @Test
    void aUserWhoIsCalledProxyGetsInByHisCertificate() throws Exception {
        GridCredential user = pki.user("proxy");
        assertThat(server.ask(user).text())
                .startsWith("CN=proxy,O=People,DC=gelato,DC=test not authorized: the DN is not mapped");
        assertRefused(pki.proxy(user).make(), "has the name of a proxy, so that proxies of it can't be told from it");
    }

    @Test
    void aBanCountsAtOnceThoughTheChainIsRemembered() throws Exception {
        GridCredential proxy = pki.proxy(pki.user("Carol Example")).make();
        assertThat(server.ask(proxy).status()).isEqualTo(200);
        Files.writeString(banned, "/DC=test/DC=gelato/O=People/CN=Carol Example\n");
        authorizer.refresh();
        assertThat(server.ask(proxy).text()).contains("is banned");
    }

    @Test
    void handshakeAndRequestsShareOneValidation() throws Exception {
        try (WhoAmIServer patient = new WhoAmIServer(
                pki, config("1h"), MOVED, authorizer, Files.createDirectory(directory.resolve("patient")))) {
            GridCredential proxy = pki.proxy(alice).make();
            patient.ask(proxy);
            assertThat(patient.identities().validations()).isEqualTo(1);
            assertThat(patient.identities().hits()).isEqualTo(1);
            patient.ask(proxy);
            assertThat(patient.identities().validations()).isEqualTo(1);
            assertThat(patient.identities().hits()).isEqualTo(3);

            AHEAD.set(Duration.ofMinutes(11));
            patient.ask(proxy);
            assertThat(patient.identities().validations()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aResumedSessionIsJudgedAgain(String version) throws Exception {
        try (WhoAmIServer patient = new WhoAmIServer(
                pki, config("1h"), MOVED, authorizer, Files.createDirectory(directory.resolve(version)))) {
            SSLContext context = server.context(version, pki.proxy(alice).make());
            assertThat(patient.ask(context).status()).isEqualTo(200);
            assertThat(patient.ask(context).status()).isEqualTo(200);
            // Handshake and request are authorized at first, only the request at the second time: the session was
            // resumed.
            assertThat(patient.identities().validations() + patient.identities().hits())
                    .isEqualTo(3);

            AHEAD.set(Duration.ofHours(13));
            Response late = patient.ask(context);
            assertThat(late.status()).isEqualTo(403);
            assertThat(late.text())
                    .contains("not authorized: its certificate chain is not valid")
                    .contains("ended at");
        }
    }

    private void assertRefused(GridCredential client, String reason) {
        String subject = client.subject();
        log.list.clear();
        assertThatThrownBy(() -> server.ask(client)).isInstanceOf(IOException.class);
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage).toList())
                .singleElement()
                .asString()
                .startsWith("TLS client " + subject.substring(0, Math.min(98, subject.length())))
                .contains(subject.substring(Math.max(0, subject.length() - 98)) + " refused: ")
                .containsIgnoringCase(reason);
    }

    private static TlsConfig config(String refresh) {
        return TlsConfig.parse(key -> switch (key) {
            case "host-certificate" -> pki.hostCertificate().toString();
            case "host-key" -> pki.hostKey().toString();
            case "ca-dir" -> pki.certificates().toString();
            case "voms-dir" -> pki.vomsdir().toString();
            case "crl-mode" -> "require";
            case "refresh" -> refresh;
            default -> null;
        });
    }
}
