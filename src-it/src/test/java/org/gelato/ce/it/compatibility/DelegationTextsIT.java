package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.compatibility.WireOperation.DESTROY;
import static org.gelato.ce.it.compatibility.WireOperation.GET_NEW_PROXY_REQ;
import static org.gelato.ce.it.compatibility.WireOperation.GET_PROXY_REQ;
import static org.gelato.ce.it.compatibility.WireOperation.GET_TERMINATION_TIME;
import static org.gelato.ce.it.compatibility.WireOperation.PUT_PROXY;
import static org.gelato.ce.it.compatibility.WireOperation.RENEW_PROXY_REQ;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Ids, checks and ends of delegations: docs/developer/protocol/delegation-wire.md sections 3, 5 and 7. */
@ExtendWith(SharedSite.class)
class DelegationTextsIT {
    private static final String NAME = "Alice of delegations";
    private static ConformanceSite site;
    private static GridPki pki;
    private static OriginalClient alice;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        pki = site.pki();
        alice = site.user(NAME);
    }

    private static String name(String id) {
        return "delegation [delegId=" + id + "; dn=" + site.dn(NAME) + "; localUser="
                + site.ce().account() + "]";
    }

    // ---- section 3

    @Test
    void anIdInUseIsRefusedForANewDelegation() {
        alice.delegate("used");
        assertFault(
                alice.onDelegation(GET_PROXY_REQ, "used"),
                name("used") + " already exists! please invoke renewDelegationReq()");
    }

    @ParameterizedTest
    @EnumSource(
            value = WireOperation.class,
            names = {"RENEW_PROXY_REQ", "GET_TERMINATION_TIME", "DESTROY"})
    void anUnknownIdIsNamed(WireOperation operation) {
        assertFault(alice.onDelegation(operation, "nosuch"), name("nosuch") + " not found!");
    }

    @Test
    void anIdTheServerMakesIsAHashAndTheTime() {
        Node made = alice.must(GET_NEW_PROXY_REQ, Bodies.delegation(GET_NEW_PROXY_REQ))
                .payload()
                .at("getNewProxyReqReturn");
        assertThat(made.text("delegationID")).matches("[0-9a-f]{40}[0-9]{13}");
        alice.must(
                PUT_PROXY,
                Bodies.putProxy(made.text("delegationID"), alice.sign(made.text("proxyRequest"), Duration.ofHours(1))));
        assertThat(alice.onDelegation(GET_TERMINATION_TIME, made.text("delegationID"))
                        .isFault())
                .isFalse();
    }

    @Test
    void withoutAnIdTheCallersHashIsUsed() {
        OriginalClient zoe = site.user("Zoe without id");
        String request = zoe.request(GET_PROXY_REQ, "");
        zoe.must(PUT_PROXY, Bodies.putProxy("", zoe.sign(request, Duration.ofHours(1))));
        assertThat(zoe.onDelegation(GET_TERMINATION_TIME, " ").isFault()).isFalse();
        assertThat(zoe.onDelegation(GET_PROXY_REQ, "").fault().description())
                .matches("(?s)delegation \\[delegId=[0-9a-f]{40}; .* already exists!.*");
    }

    @Test
    void twoUsersMayUseOneId() {
        OriginalClient bob = site.user("Bob of delegations").delegate("same", Duration.ofHours(1));
        alice.delegate("same", Duration.ofHours(2));
        assertThat(end(bob, "same")).isBefore(end(alice, "same"));
        alice.must(DESTROY, Bodies.delegation(DESTROY, "delegationID", "same"));
        assertThat(bob.onDelegation(GET_TERMINATION_TIME, "same").isFault()).isFalse();
    }

    @Test
    void theTerminationTimeIsTheProxysEnd() {
        alice.delegate("timed", Duration.ofHours(3));
        assertThat(end(alice, "timed"))
                .isBetween(
                        Instant.now().plus(Duration.ofHours(2)), Instant.now().plus(Duration.ofHours(3)));
        alice.renew("timed", Duration.ofHours(5));
        assertThat(end(alice, "timed")).isAfter(Instant.now().plus(Duration.ofHours(4)));
    }

    // ---- section 5

    /** A putProxy that is refused: how the chain is made of the request, and the text. */
    private record Refused(String name, UnaryOperator<String> chain, String begin, String part) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Refused> refusals() {
        GridCredential proxy = alice.credential();
        String invalid = "Validation failed";
        String notValid = "Proxy certificate is not valid";
        return Stream.of(
                new Refused("1 no PEM", csr -> "hello", "Failed to load certificate chain", ""),
                new Refused(
                        "1 half a PEM",
                        csr -> new ForgedChain(proxy, csr).pem().substring(0, 400),
                        "Failed to load certificate chain",
                        ""),
                new Refused("1 the request sent back", csr -> csr, "Failed to load certificate chain", ""),
                new Refused(
                        "1 a private key among the certificates",
                        csr -> new ForgedChain(proxy, csr).pem() + proxy.pem(),
                        "Failed to load certificate chain",
                        ""),
                new Refused(
                        "2 an untrusted authority",
                        csr -> new ForgedChain(pki.proxy(pki.stranger(NAME)).make(), csr).pem(),
                        invalid,
                        notValid),
                new Refused(
                        "2 valid from tomorrow",
                        csr -> new ForgedChain(proxy, csr)
                                .begin(Instant.now().plus(1, ChronoUnit.DAYS))
                                .pem(),
                        invalid,
                        notValid),
                new Refused(
                        "2 ended",
                        csr -> new ForgedChain(proxy, csr)
                                .begin(Instant.now().minus(3, ChronoUnit.HOURS))
                                .pem(),
                        invalid,
                        notValid),
                new Refused(
                        "no proxy",
                        csr -> new ForgedChain(proxy, csr).plain().pem(),
                        "Proxy type not recognised: the certificate that your client signed is no proxy: it lacks"
                                + " proxyCertInfo",
                        ""),
                new Refused(
                        "3 the user's own certificate", csr -> pki.user(NAME).chainPem(), "Proxy type", ""),
                new Refused(
                        "4 another user's",
                        csr -> new ForgedChain(site.user("Bob of delegations").credential(), csr).pem(),
                        "Invalid delegation issuer: '",
                        site.dn(NAME)),
                new Refused("5 a key of no request", csr -> proxy.chainPem(), "Delegation request not found!", ""),
                new Refused(
                        "7 attributes of an unknown issuer",
                        csr -> new ForgedChain(
                                        pki.proxy(pki.user(NAME))
                                                .issuer(pki.impostor())
                                                .make(),
                                        csr)
                                .pem(),
                        "Cannot validate proxy",
                        ""),
                new Refused(
                        "8 no further proxy allowed",
                        csr -> new ForgedChain(
                                        pki.proxy(pki.user(NAME)).pathLength(0).make(), csr)
                                .pem(),
                        "Cannot delegate: the proxy ",
                        "voms-proxy-init without -path-length"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void anInvalidChainIsRefusedByName(Refused row) {
        String id = "refused" + System.nanoTime();
        String csr = alice.request(GET_PROXY_REQ, id);
        Map<String, Long> before = site.database().keys("delegation", "delegation_request", "proxy_file");
        Fault fault =
                alice.call(PUT_PROXY, Bodies.putProxy(id, row.chain.apply(csr))).fault();
        assertThat(fault.description()).startsWith(row.begin).contains(row.part);
        assertThat(fault.text()).isEqualTo(fault.description());
        assertThat(site.database().storedSince(before)).isEmpty();
        // the honest chain is still accepted
        alice.must(PUT_PROXY, Bodies.putProxy(id, alice.sign(csr, Duration.ofHours(1))));
    }

    @Test
    void aRequestIsAnsweredOnce() {
        String csr = alice.request(GET_PROXY_REQ, "twice");
        String chain = alice.sign(csr, Duration.ofHours(1));
        alice.must(PUT_PROXY, Bodies.putProxy("twice", chain));
        Instant end = end(alice, "twice");
        assertThat(alice.call(PUT_PROXY, Bodies.putProxy("twice", chain))
                        .fault()
                        .description())
                .startsWith("Delegation request not found!");
        assertThat(alice.call(PUT_PROXY, Bodies.putProxy("twice", alice.sign(csr, Duration.ofHours(2))))
                        .fault()
                        .description())
                .startsWith("Delegation request not found!");
        assertThat(end(alice, "twice")).isEqualTo(end);
    }

    @Test
    void nobodyRenewsForAnotherDn() {
        alice.delegate("hers");
        OriginalClient bob = site.user("Bob of delegations");
        assertThat(bob.onDelegation(RENEW_PROXY_REQ, "hers").fault().description())
                .contains("delegId=hers; dn=" + site.dn("Bob of delegations"))
                .endsWith("not found!");
        String csr = alice.request(RENEW_PROXY_REQ, "hers");
        assertThat(alice.call(PUT_PROXY, Bodies.putProxy("hers", bob.sign(csr, Duration.ofHours(1))))
                        .fault()
                        .description())
                .startsWith("Invalid delegation issuer: '");
        assertThat(bob.call(PUT_PROXY, Bodies.putProxy("hers", bob.sign(csr, Duration.ofHours(1))))
                        .fault()
                        .description())
                .startsWith("Delegation request not found!");
    }

    @Test
    void lineEndsAndAMissingLastOneDoNotMatter() {
        for (UnaryOperator<String> ends : Stream.<UnaryOperator<String>>of(
                        chain -> chain.replace("\n", "&#13;\n"), String::strip, chain -> "\n\n" + chain)
                .toList()) {
            String id = "ends" + System.nanoTime();
            String chain = alice.sign(alice.request(GET_PROXY_REQ, id), Duration.ofHours(1));
            alice.must(PUT_PROXY, Bodies.putProxy(id, ends.apply(chain)));
        }
    }

    @Test
    void legacyProxiesDelegateToo() {
        OriginalClient leo =
                site.client(pki.proxy(pki.user("Leo of legacy")).legacy().make());
        leo.request(GET_PROXY_REQ, "legacy");
        assertThat(leo.jobs()).isEmpty();
    }

    // ---- section 7

    @Test
    void theEndOfADelegationCancelsItsJobs() {
        alice.delegate("ending").delegate("staying");
        String waiting = alice.register("ending", OriginalClient.echo());
        String running = alice.submit("ending", OriginalClient.sleep(300));
        String other = alice.register("staying", OriginalClient.echo());
        alice.await(running, "REALLY-RUNNING");
        assertThat(alice.must(DESTROY, Bodies.delegation(DESTROY, "delegationID", "ending"))
                        .payload()
                        .children())
                .isEmpty();
        for (String id : new String[] {waiting, running}) {
            alice.await(id, "CANCELLED");
            Node last = last(alice.info(id), "status");
            assertThat(last.text("description")).isEqualTo("job cancelled because the related delegation has expired");
            assertThat(last(alice.info(id), "lastCommand").text("name")).isEqualTo("JOB_CANCEL");
        }
        assertThat(alice.state(other)).isEqualTo("REGISTERED");
        assertFault(alice.onDelegation(GET_TERMINATION_TIME, "ending"), name("ending") + " not found!");
        alice.delegate("ending");
    }

    @Test
    void aPurgedJobLeavesItsDelegation() {
        alice.delegate("outliving");
        String job = alice.register("outliving", OriginalClient.echo());
        alice.on(WireOperation.JOB_PURGE, job);
        ConformanceSite.eventually(
                "the job is gone", () -> assertThat(alice.jobs()).doesNotContain(job));
        assertThat(alice.onDelegation(GET_TERMINATION_TIME, "outliving").isFault())
                .isFalse();
    }

    @Test
    void noKeyIsInTheLog() throws IOException {
        alice.delegate("logged").renew("logged", Duration.ofHours(11));
        assertThat(Files.readString(site.ce().log())).doesNotContain("PRIVATE KEY", "BEGIN CERTIFICATE");
    }

    @Test
    void whatTheServiceReportsAboutItself() {
        assertThat(alice.must(WireOperation.GET_VERSION, Bodies.delegation(WireOperation.GET_VERSION))
                        .payload()
                        .text("getVersionReturn"))
                .isNotBlank();
        assertThat(alice.must(
                                WireOperation.GET_INTERFACE_VERSION,
                                Bodies.delegation(WireOperation.GET_INTERFACE_VERSION))
                        .payload()
                        .text("getInterfaceVersionReturn"))
                .isEqualTo("2.0");
        assertThat(alice.must(
                                WireOperation.GET_SERVICE_METADATA,
                                Bodies.delegation(WireOperation.GET_SERVICE_METADATA, "key", "a key"))
                        .payload()
                        .text("getServiceMetadataReturn"))
                .isEqualTo("a key");
    }

    private static Node last(Node info, String name) {
        return info.all(name).get(info.all(name).size() - 1);
    }

    private static Instant end(OriginalClient client, String id) {
        return Instant.parse(
                client.onDelegation(GET_TERMINATION_TIME, id).payload().text("getTerminationTimeReturn"));
    }

    /** The text stands in msg and, for clients that only see that, in faultstring. */
    private static void assertFault(Response response, String text) {
        assertThat(response.fault().element()).isEqualTo("DelegationException");
        assertThat(response.fault().description()).isEqualTo(text);
        assertThat(response.fault().text()).isEqualTo(text);
    }
}
