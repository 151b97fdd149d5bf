package org.gelato.ce.it.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.it.badinput.WireTexts.event;
import static org.gelato.ce.it.badinput.WireTexts.local;
import static org.gelato.ce.it.badinput.WireTexts.register;
import static org.gelato.ce.it.badinput.WireTexts.slash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.gelato.ce.it.badinput.RawClient.Reply;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.SiteUser.Outcome;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.ProxyBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Invalid input gets a clear error and is never half done. One CE gets all of it, while one job runs; an
 * administrator, who sees the jobs of all users, checks after each test that there is no other.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BadInputIT {
    private static final long MIB = 1 << 20;
    private static final String XML = "text/xml; charset=utf-8";

    private static SiteCe ce;
    private static GridPki pki;
    private static SiteUser alice;
    private static RawClient raw;
    private static RawClient admin;
    private static String running;
    private Set<String> before;

    @BeforeAll
    static void start() throws IOException {
        ce = new SiteCe("bad", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 2));
        pki = ce.pki();
        pki.revoke(pki.user("Rita"));
        Files.writeString(ce.base().resolve("admins"), slash(pki.user("Admin")) + "\n");
        ce.start();
        alice = ce.user("Alice");
        alice.must("", "delegate", "alice");
        running = alice.submit(SiteUser.sleepJob(300), "-D", "alice");
        raw = new RawClient(ce, pki.proxy(pki.user("Alice")).make());
        admin = new RawClient(ce, pki.proxy(pki.user("Admin")).make());
        alice.await(running, "REALLY-RUNNING");
    }

    @AfterAll
    static void stop() {
        try {
            if (running != null) {
                alice.must("", "cancel", running);
                alice.await(running, "CANCELLED");
            }
        } finally {
            if (ce != null) {
                ce.close();
            }
        }
    }

    @BeforeEach
    void look() {
        before = admin.jobs();
    }

    @AfterEach
    void nothingWasStored() {
        assertThat(admin.jobs()).isEqualTo(before);
        assertThat(alice.state(running)).isEqualTo("REALLY-RUNNING");
    }

    // ---- job descriptions

    @Test
    void aSyntaxErrorIsShownWithLineAndColumn() {
        String jdl = "[\n  Executable = \"/bin/sleep\";\n  Arguments = = \"3\";\n]\n";
        assertThat(refused(alice, jdl, "submit", "-D", "alice", "-")).contains("line 3, column 15: unexpected '='");
    }

    @Test
    void anUnknownQueueIsNamedWithTheKnownOnes() {
        assertThat(refused(alice, SiteUser.sleepJob(1), "submit", "-D", "alice", "-r", ce.resource("nosuch"), "-"))
                .contains("queue nosuch does not exist here; fork has long, short");
    }

    @Test
    void aMissingExecutableAttributeIsNamed() {
        assertThat(refused(alice, "[ Arguments = \"3\"; ]", "submit", "-D", "alice", "-"))
                .contains("mandatory attribute \"Executable\" not defined!");
    }

    @Test
    void anUnknownBatchSystemIsNamedWithTheKnownOne() {
        String resource = "localhost:" + ce.port() + "/cream-pbs-long";
        assertThat(refused(alice, SiteUser.sleepJob(1), "submit", "-D", "alice", "-r", resource, "-"))
                .contains("Batch System pbs not supported! This CE serves fork");
    }

    // ---- delegations and proxies

    @Test
    void anUnknownDelegationIsNamed() throws IOException {
        assertThat(refused(alice, SiteUser.sleepJob(1), "submit", "-D", "nosuch", "-"))
                .contains("delegation [delegId=nosuch; dn=" + pki.user("Alice").subject())
                .contains("not found!");
        noDelegation(raw, "nosuch");
    }

    @Test
    void anExpiredProxyIsRefusedByClientAndCe() {
        ProxyBuilder expired = pki.proxy(pki.user("Erna")).expired();
        assertThat(refused(user(expired), "", "delegate", "d")).contains("expired at");
        refusedInHandshake(expired.make(), "ended at");
    }

    @Test
    void anUntrustedAuthorityIsRefused() {
        ProxyBuilder stranger = pki.proxy(pki.stranger("Alice"));
        refused(user(stranger), "", "delegate", "stranger");
        refusedInHandshake(stranger.make(), "No trusted CA certificate was found");
    }

    @Test
    void aRevokedCertificateIsRefused() {
        refused(ce.user("Rita"), SiteUser.sleepJob(1), "submit", "-");
        refusedInHandshake(pki.proxy(pki.user("Rita")).make(), "revoked");
    }

    @Test
    void aRevocationCountsForTheConnectionThatIsOpen() throws IOException {
        GridCredential proxy = pki.proxy(pki.user("Rob")).make();
        RawClient rob = new RawClient(ce, proxy);
        assertThat(rob.jobs()).isEmpty();
        pki.revoke(pki.user("Rob"));
        eventually("the new revocation list counts", () -> {
            Reply reply = rob.onDelegation("getTerminationTime", "rob");
            assertThat(reply.body())
                    .contains("its certificate chain is not valid")
                    .contains("revoked");
        });
        Reply refused = rob.cream2("JobRegister", register("rob"));
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.body()).contains("AuthorizationFault").contains("revoked");
        refusedInHandshake(proxy, "revoked");
    }

    @Test
    void aProxyWithoutVomsAttributesIsRefusedForTheirAbsence() throws IOException {
        SiteUser nora = user(pki.proxy(pki.user("Nora")).fqans());
        assertThat(refused(nora, SiteUser.sleepJob(1), "submit", "-"))
                .contains("CN=Nora")
                .contains("the proxy has no valid VOMS attributes");
        assertThat(refused(nora, "", "delegate", "nora")).contains("the proxy has no valid VOMS attributes");
        noDelegation(new RawClient(ce, pki.proxy(pki.user("Nora")).make()), "nora");
    }

    @Test
    void attributesOfAnUnknownIssuerAreRefused() {
        SiteUser ivan = user(pki.proxy(pki.user("Ivan")).issuer(pki.impostor()));
        assertThat(refused(ivan, SiteUser.sleepJob(1), "submit", "-")).contains("VOMS attributes of VO dteam refused");
    }

    @Test
    void aLimitedProxySubmitsNothing() throws IOException {
        ce.user("Lea").must("", "delegate", "lea");
        SiteUser limited = user(pki.proxy(pki.user("Lea")).limited());
        limited.must("", "list");
        assertThat(refused(limited, SiteUser.sleepJob(1), "submit", "-D", "lea", "-"))
                .contains("Cannot submit job: proxy is limited");
        assertThat(refused(limited, SiteUser.sleepJob(1), "submit", "-"))
                .as("where the proxy is delegated first")
                .contains("Cannot submit job: proxy is limited");
        limited.must("", "delegate", "limited");
        limited.must("", "renew", "limited");
    }

    @Test
    void aBanCountsWhileTheCeRuns() throws IOException {
        Path ban = ce.base().resolve("ban");
        SiteUser bert = ce.user("Bert");
        bert.must("", "list");
        Files.writeString(ban, slash(pki.user("Bert")) + "\n");
        try {
            eventually(
                    "the ban counts",
                    () -> assertThat(bert.run("", "list").err())
                            .contains("CN=Bert")
                            .contains("the user is banned on this CE"));
            assertThat(refused(bert, SiteUser.sleepJob(1), "submit", "-")).contains("the user is banned on this CE");
            assertThat(refused(bert, "", "delegate", "bert")).contains("the user is banned on this CE");
        } finally {
            Files.writeString(ban, "");
        }
        eventually("the ban is lifted", () -> bert.must("", "list"));
        noDelegation(new RawClient(ce, pki.proxy(pki.user("Bert")).make()), "bert");
    }

    // ---- jobs of others

    @ParameterizedTest
    @ValueSource(strings = {"status", "info", "cancel", "purge", "output"})
    void aForeignJobIsReportedAsUnknown(String command) {
        SiteUser bob = ce.user("Bob");
        String absent = running.substring(0, running.length() - 9) + "999999999";
        String foreign = refused(bob, "", command, running);
        assertThat(foreign).contains("job not found");
        assertThat(foreign.replace(running, absent)).isEqualTo(refused(bob, "", command, absent));
        assertThat(bob.must("", "list").out()).isEmpty();
        assertThat(alice.info(running).path("commands").findValuesAsText("name"))
                .containsExactly("JOB_REGISTER", "JOB_START");
    }

    @Test
    void aForeignJobIsNotStarted() throws IOException {
        RawClient bob = new RawClient(ce, pki.proxy(pki.user("Bob")).make());
        assertThat(bob.onJob("JobStart", local(running)).body()).contains("JobUnknownFault");
        assertThat(alice.info(running).path("commands").size()).isEqualTo(2);
    }

    // ---- requests that are no requests

    @Test
    void aBodyOfFiftyMegabytesIsRefusedBeforeItIsSent() throws IOException {
        try (HugeRequest request = new HugeRequest(raw, 50 * MIB, true)) {
            assertThat(request.response())
                    .startsWith("HTTP/1.1 500")
                    .contains("GenericFault")
                    .contains("the request is larger than 10485760 bytes");
            assertThatThrownBy(request::sendAll).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aBodyOfFiftyMegabytesWithoutLengthIsReadToTheLimitOnly() throws IOException {
        try (HugeRequest request = new HugeRequest(raw, 50 * MIB, false)) {
            request.send(10 * MIB);
            assertThat(request.response())
                    .startsWith("HTTP/1.1 500")
                    .contains("the request is larger than 10485760 bytes");
            assertThatThrownBy(request::sendAll).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aDoctypeIsRefused() throws IOException {
        String bomb = "<!DOCTYPE s [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
        Reply reply = raw.post(RawClient.CREAM2, XML, bomb + RawClient.envelope(register("&b;")));
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.body()).contains("GenericFault").contains("(DOCTYPE) is not accepted");
    }

    @Test
    void anEntityOfAFileIsRefused() throws IOException {
        String leak = "<!DOCTYPE s [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>";
        Reply reply = raw.post(RawClient.CREAM2, XML, leak + RawClient.envelope(register("&f;")));
        assertThat(reply.body()).contains("(DOCTYPE) is not accepted").doesNotContain("root:");
    }

    @Test
    void aNestOfTenThousandElementsIsRefused() throws IOException {
        String nest = "<a>".repeat(10_000) + "</a>".repeat(10_000);
        Reply reply = raw.cream2("JobRegister", nest);
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.body()).contains("the request is not acceptable XML").containsIgnoringCase("depth");
    }

    @Test
    void xmlThatIsNoSoapIsRefused() throws IOException {
        assertThat(raw.post(RawClient.CREAM2, XML, "<a/>").body())
                .contains("the document is not a SOAP 1.1 or 1.2 envelope");
        assertThat(raw.post(RawClient.DELEGATION, XML, "<a/>").body())
                .contains("the document is not a SOAP 1.1 or 1.2 envelope");
        assertThat(raw.post(RawClient.CREAM2, XML, "hello").body())
                .contains("the request is not acceptable XML")
                .contains("(line 1, column 1)");
        assertThat(raw.post(RawClient.CREAM2, "application/json", "{}").status())
                .isEqualTo(415);
    }

    @Test
    void anUnknownOperationIsNamed() throws IOException {
        String body = "<t:JobExplodeRequest xmlns:t=\"" + RawClient.TYPES + "\"/>";
        assertThat(raw.cream2("JobExplode", body).body())
                .contains("no operation has the element {" + RawClient.TYPES + "}JobExplodeRequest");
        assertThat(raw.onDelegation("explode", "alice").body())
                .contains("no operation has the element {" + RawClient.DELEGATION_TYPES + "}explode");
    }

    @Test
    void withoutAClientCertificateNothingIsServed() throws IOException {
        RawClient nobody = new RawClient(ce, null);
        Reply reply = nobody.cream2("JobRegister", register("alice"));
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.body()).contains("AuthorizationFault").contains("no client certificate was presented");
        assertThat(nobody.onJob("JobCancel", local(running)).body()).contains("no client certificate was presented");
        assertThat(nobody.onDelegation("getProxyReq", "none").body()).contains("no client certificate was presented");
        Reply output = nobody.get("/ce-cream/output/" + local(running) + "/");
        assertThat(output.status()).isEqualTo(403);
        assertThat(output.body()).contains("no client certificate was presented");
    }

    @Test
    void anEventWithoutTheJobsSecretChangesNothing() throws IOException {
        RawClient wrapper = new RawClient(ce, null);
        String history = alice.info(running).path("history").toString();
        for (String token : List.of("0".repeat(32), "", "é")) {
            Reply reply = wrapper.post("/ce-cream/wrapper-events", "text/plain", event(local(running), token));
            assertThat(reply.status()).as(token).isEqualTo(403);
            assertThat(reply.body()).contains("refused");
        }
        assertThat(wrapper.post("/ce-cream/wrapper-events", "text/plain", event("CREAM999999999", "x"))
                        .status())
                .isEqualTo(403);
        Reply garbage = wrapper.post("/ce-cream/wrapper-events", "text/plain", "x".repeat(100_000));
        assertThat(garbage.status()).isEqualTo(400);
        assertThat(garbage.body()).contains("not an event");
        assertThat(alice.info(running).path("history").toString()).isEqualTo(history);
    }

    // ---- after all that

    @Test
    @Order(Integer.MAX_VALUE)
    void theCeStillServes() throws IOException {
        assertThat(ce.isReady()).isTrue();
        String id = alice.submit(SiteUser.sleepJob(1));
        before.add(local(id));
        alice.await(id, "DONE-OK");
        Path target = ce.base().resolve("output");
        alice.must("", "output", "-d", target.toString(), id);
        assertThat(target.resolve("env.out")).isEmptyFile();
        assertThat(Files.readString(ce.log())).doesNotContain(" ERROR ", "\tat ");
    }

    private static SiteUser user(ProxyBuilder proxy) {
        return new SiteUser(ce, proxy.write(ce.base().resolve("proxy-" + System.nanoTime() + ".pem")));
    }

    /** Runs a command that must fail, without any result; returns its message. */
    private static String refused(SiteUser user, String input, String... args) {
        Outcome outcome = user.run(input, args);
        assertThat(outcome.exit()).as(outcome.out() + outcome.err()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).doesNotContain("unexpected error").isNotBlank();
        return outcome.err();
    }

    /** The connection is refused, and the site's log says why. */
    private static void refusedInHandshake(GridCredential credential, String reason) {
        RawClient client = new RawClient(ce, credential);
        assertThatThrownBy(() -> client.cream2("JobList", "")).isInstanceOf(IOException.class);
        eventually(
                "the log says why",
                () -> assertThat(Files.readAllLines(ce.log()))
                        .anySatisfy(line -> assertThat(line)
                                .contains("TLS client " + credential.subject() + " refused: ")
                                .contains(reason)));
    }

    private static void noDelegation(RawClient client, String id) throws IOException {
        assertThat(client.onDelegation("getTerminationTime", id).body())
                .contains("delegation [delegId=" + id)
                .contains("not found!");
    }

    private static void eventually(String what, ThrowingRunnable check) {
        Awaitility.await(what).pollInterval(Duration.ofMillis(200)).untilAsserted(check);
    }
}
