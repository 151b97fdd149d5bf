package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.OTHER;
import static org.gelato.ce.core.delegation.DelegationGrid.PKI;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.delegation.AttributeReader.Attributes;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobDelegations;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DelegationServiceTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Duration SHORT = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofHours(12);
    private static final String NAME =
            "delegation [delegId=d1; dn=CN=Sample User,O=People,DC=gelato,DC=test; localUser=dteam001]";

    private final DelegationBench bench = new DelegationBench(DB.database());
    private final DelegationService service = bench.service;
    private final Caller caller = bench.caller;

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aDelegationIsStoredAndItsFileWrittenAsTheAccount() {
        bench.delegate("d1", LONG);

        DelegationBench.Row ref = bench.ref("d1");
        Path home = bench.layout.home(caller.identity().owner(), "dteam001");
        assertThat(ref.proxyFile().getParent()).isEqualTo(bench.layout.proxies(home));
        assertThat(ref.proxyFile().getFileName().toString()).matches("d1_[0-9]{14}");
        FileContent file = bench.accounts.files().get(ref.proxyFile());
        assertThat(file.mode()).isEqualTo(0600);
        assertThat(bench.accounts.ownerOf).containsEntry(ref.proxyFile(), "dteam001");
        assertThat(bench.fileOf("d1")).hasSize(3);
        assertThat(bench.fileOf("d1").get(1).getPublicKey()).isEqualTo(bench.storedKey("d1"));
        assertThat(bench.marked("d1")).isTrue();
        assertThat(bench.count("delegation_request")).isZero();
        assertThat(ref.info())
                .startsWith("[ isRFC=\"true\"; ")
                .endsWith("; VO=\"dteam\"; AC issuer=\""
                        + PKI.voms().credential().subject() + "\"; VOMS attributes={ /dteam } ]");
        assertThat(ref.expiresAt()).isEqualTo(NOW.plus(LONG));
        assertThat(service.getTerminationTime(caller, " d1\n")).isEqualTo(NOW.plus(LONG));
    }

    @Test
    void whatCallersDoIsAuditedWithTheIdTheyGaveAndWhatIsRefusedIsNot() {
        bench.delegate("d1", SHORT);
        service.putProxy(caller, "d1", bench.signed(service.renewProxyReq(caller, "d1"), LONG));
        assertThatThrownBy(() -> service.getProxyReq(caller, "d1")).isInstanceOf(DelegationRefused.class);
        assertThatThrownBy(() -> service.renewProxyReq(caller, "d2")).isInstanceOf(DelegationRefused.class);
        assertThatThrownBy(() -> service.putProxy(caller, "d1", "no chain")).isInstanceOf(DelegationRefused.class);
        service.getProxyReq(caller, "");
        String named = service.newUnnamedReq(caller).delegationId();
        service.list(caller);
        service.destroy(caller, "d1");
        assertThatThrownBy(() -> service.destroy(caller, "d1")).isInstanceOf(DelegationRefused.class);
        assertThat(bench.trail.texts())
                .containsExactly(
                        "delegation-request {delegation=d1}",
                        "delegation-put {delegation=d1}",
                        "delegation-request {delegation=d1}",
                        "delegation-put {delegation=d1}",
                        "delegation-request {}",
                        "delegation-request {delegation=" + named + "}",
                        "delegation-destroy {delegation=d1}");
        assertThat(bench.trail.acts())
                .allSatisfy(act -> assertThat(act.caller()).isEqualTo(caller));
    }

    @Test
    void anEmptyIdMeansTheSameDelegationInEveryCall() {
        bench.delegate("", LONG);
        String id = DelegationIds.ofIdentity(caller.certificate());
        assertThat(service.getTerminationTime(caller, null)).isEqualTo(service.getTerminationTime(caller, id));
    }

    @Test
    void theServerNamesADelegationByIdentityAndTime() {
        Delegations.NewProxyReq first = service.getNewProxyReq(caller);
        assertThat(first.delegationId())
                .isEqualTo(DelegationIds.ofIdentity(caller.certificate())
                        + bench.clock.instant().toEpochMilli());
        assertThat(service.getNewProxyReq(caller).delegationId()).isNotEqualTo(first.delegationId());
        service.putProxy(caller, first.delegationId(), bench.signed(first.proxyRequest(), LONG));
        assertThat(bench.ref(first.delegationId())).isNotNull();
    }

    @Test
    void anUnnamedRequestNamesNobodyAndIsSignedAsAnyOther() throws IOException {
        Delegations.NewProxyReq first = service.newUnnamedReq(caller);
        assertThat(namesOf(first.proxyRequest())).isEmpty();
        service.putProxy(caller, first.delegationId(), bench.signed(first.proxyRequest(), SHORT));
        String renewal = service.renewUnnamedReq(caller, first.delegationId());
        assertThat(namesOf(renewal)).isEmpty();
        service.putProxy(caller, first.delegationId(), bench.signed(renewal, LONG));
        assertThat(bench.ref(first.delegationId())).isNotNull();
        assertThat(namesOf(service.renewProxyReq(caller, first.delegationId()))).isNotEmpty();
    }

    private static RDN[] namesOf(String request) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(request))) {
            return ((PKCS10CertificationRequest) parser.readObject())
                    .getSubject()
                    .getRDNs();
        }
    }

    @Test
    void aStoredIdIsNotTakenForANewDelegation() {
        bench.delegate("d1", LONG);
        bench.clock.advance(Duration.ofHours(13));
        refused(() -> service.getProxyReq(caller, "d1"), NAME + " already exists! please invoke renewDelegationReq()");
    }

    @Test
    void aUserWhoOnlyAsksFillsNeitherTheTableNorTheTimeOfOthers() {
        bench.delegate("d0", LONG);
        for (int i = 0; i < 100; i++) {
            service.getProxyReq(caller, "d" + (1 + i % 50));
        }
        for (ThrowingCallable more : List.<ThrowingCallable>of(
                () -> service.getProxyReq(caller, "more"),
                () -> service.getNewProxyReq(caller),
                () -> service.renewProxyReq(caller, "d0"))) {
            assertThatThrownBy(more)
                    .isInstanceOf(DelegationRefused.class)
                    .hasMessageContaining("100 requests of this user in the last 10 minutes");
        }
        assertThat(bench.count("delegation_request")).isEqualTo(100);
        assertThat(service.getProxyReq(DelegationBench.caller(OTHER, "dteam001", "/dteam"), "d1"))
                .isNotEmpty();
        bench.clock.advance(Duration.ofMinutes(11));
        assertThat(service.getProxyReq(caller, "more")).isNotEmpty();
    }

    @Test
    void proxiesThatCameLeaveRoomForFurtherRequests() {
        bench.delegate("d0", SHORT);
        for (int i = 0; i < 10; i++) {
            bench.renew("d0", SHORT);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(service.getProxyReq(caller, "d" + (1 + i % 50))).isNotEmpty();
        }
    }

    @Test
    void anUnknownIdIsNotFound() {
        String text = NAME + " not found!";
        refused(() -> service.renewProxyReq(caller, "d1"), text);
        refused(() -> service.getTerminationTime(caller, "d1"), text);
        refused(() -> service.destroy(caller, "d1"), text);
    }

    @Test
    void idsOfOtherUsersAndAccountsAreOtherDelegations() {
        bench.delegate("d1", LONG);
        Caller other = DelegationBench.caller(OTHER, "dteam001", "/dteam");
        Caller elsewhere = DelegationBench.caller(USER, "dteam002", "/dteam", "/dteam/x");
        for (Caller foreign : List.of(other, elsewhere)) {
            assertThatThrownBy(() -> service.getTerminationTime(foreign, "d1")).hasMessageEndingWith(" not found!");
            assertThat(service.find(foreign, List.of("d1"))).isEmpty();
            assertThat(service.getProxyReq(foreign, "d1")).isNotEmpty();
        }
    }

    @Test
    void aProxyNobodyAskedForIsRefused() {
        String request = service.getProxyReq(caller, "d1");
        String proxy = bench.signed(request, LONG);
        refusedWith(() -> service.putProxy(caller, "other", proxy), "Delegation request not found! ");
        service.putProxy(caller, "d1", proxy);
        refusedWith(() -> service.putProxy(caller, "d1", proxy), "Delegation request not found! ");
    }

    @Test
    void theProxyMustHaveTheKeyOfTheRequest() {
        String proxy = bench.signed(service.getProxyReq(caller, "d1"), LONG);
        byte[] otherKey = bench.vault.seal(SPARE_KEY.getPrivate());
        bench.database.inTransaction(h -> h.execute("UPDATE delegation_request SET private_key = ?", otherKey));
        refused(
                () -> service.putProxy(caller, "d1", proxy),
                "The public key of the proxy is not that of the delegation request [delegId=d1]");
    }

    @Test
    void refusedProxiesLeaveTheRequestForABetterOne() {
        String request = service.getProxyReq(caller, "d1");
        String proxy = bench.signed(request, LONG);
        bench.attributes = new Attributes(null, List.of(), null, List.of("no LSC for it", "it has expired"));
        refused(() -> service.putProxy(caller, "d1", proxy), "Cannot validate proxy d1: no LSC for it; it has expired");
        refusedWith(() -> service.putProxy(caller, "d1", ""), "Failed to load certificate chain");
        refusedWith(
                () -> service.putProxy(caller, "d1", bench.signed(request, Duration.ofSeconds(-5))),
                "Validation failed [delegId=d1]: Proxy certificate is not valid: it expired at ");
        bench.attributes = Attributes.NONE;
        service.putProxy(caller, "d1", proxy);
        assertThat(bench.ref("d1").info()).doesNotContain("VOMS");
    }

    @Test
    void attributesWithoutEndAreRefused() {
        String proxy = bench.signed(service.getProxyReq(caller, "d1"), LONG);
        bench.attributes = new Attributes("dteam", List.of("/dteam/" + "x".repeat(70_000)), "CN=voms", List.of());
        refused(
                () -> service.putProxy(caller, "d1", proxy),
                "Cannot validate proxy d1: its names or attributes are too long");
    }

    @Test
    void aRequestSealedWithAnotherKeyFileIsAClearFailure() {
        String proxy = bench.signed(service.getProxyReq(caller, "d1"), LONG);
        byte[] other = new byte[32];
        other[0] = 1;
        bench.vault = new KeyVault(other);
        assertThatThrownBy(() -> bench.start().putProxy(caller, "d1", proxy))
                .hasFieldOrPropertyWithValue("code", FaultCode.INTERNAL)
                .hasMessage("the private key of the delegation request can't be read");
    }

    @Test
    void noPrivateKeyIsStoredInClear() {
        bench.delegate("d1", LONG);
        service.renewProxyReq(caller, "d1");
        for (String table : List.of("delegation", "delegation_request")) {
            byte[] stored = bench.database.read(h -> h.select("SELECT private_key FROM " + table)
                    .mapTo(byte[].class)
                    .one());
            assertThat(bench.vault.unseal(stored).getFormat()).isEqualTo("PKCS#8");
            assertThat(stored[0] == 0x30 && stored[1] == (byte) 0x82).isFalse();
        }
    }

    @Test
    void destroyRemovesFileAndRowAndCancelsJobs() {
        bench.delegate("d1", LONG);
        bench.delegate("d2", LONG);
        int row = bench.ref("d1").rowId();
        Path file = bench.ref("d1").proxyFile();
        bench.end = (id, reason) -> bench.cancelled.add(id + " " + reason + " " + bench.count("delegation"));

        service.destroy(caller, "d1");

        assertThat(bench.accounts.files()).doesNotContainKey(file).hasSize(1);
        assertThat(bench.cancelled)
                .containsExactly(row + " job cancelled because the related delegation has expired 2");
        assertThat(bench.ref("d1")).isNull();
        assertThat(bench.count("proxy_file")).isEqualTo(1);
        bench.delegate("d1", SHORT);
    }

    @Test
    void destroyGoesOnWhenTheFileCanNotBeRemoved() {
        bench.delegate("d1", LONG);
        bench.accounts.discardFailure = new IllegalStateException("helper is down");
        service.destroy(caller, "d1");
        assertThat(bench.ref("d1")).isNull();
    }

    @Test
    void destroyCanBeRepeatedWhenJobsCouldNotBeCancelled() {
        bench.delegate("d1", LONG);
        DelegationEnd working = bench.end;
        bench.end = (id, reason) -> {
            throw new IllegalStateException("database gone");
        };
        assertThatThrownBy(() -> service.destroy(caller, "d1")).hasMessage("database gone");
        assertThat(bench.ref("d1")).isNotNull();
        bench.end = working;
        service.destroy(caller, "d1");
        assertThat(bench.cancelled).hasSize(1);
    }

    @Test
    void manyIdsAreFoundWithOneStatement() {
        bench.delegate("d1", SHORT);
        bench.delegate("d2", LONG);
        long before = bench.database.statements();
        Map<String, JobDelegations.Ref> found =
                service.find(caller, List.of(" d1 ", "d2", "d1", "none", "bad\u0000one", "", "x".repeat(999)));
        assertThat(bench.database.statements() - before).isEqualTo(1);
        assertThat(found).containsOnlyKeys(" d1 ", "d1", "d2");
        assertThat(found.get(" d1 ")).isEqualTo(found.get("d1"));
        assertThat(found.get("d2"))
                .isEqualTo(new JobDelegations.Ref(bench.ref("d2").rowId(), NOW.plus(LONG)));
        assertThat(service.find(caller, List.of())).isEmpty();
    }

    @Test
    void whatWasFoundIsNotReadAgainForSomeSeconds() {
        bench.delegate("d1", SHORT);
        assertThat(readsOf("d1")).isEqualTo(1);
        assertThat(readsOf("d1")).isZero();
        assertThat(service.find(caller, List.of("d1"))).containsKey("d1");
        bench.clock.advance(KnownDelegations.KEPT);
        assertThat(readsOf("d1")).isEqualTo(1);
        service.forget(caller, List.of("d1", ""));
        assertThat(readsOf("d1")).isEqualTo(1);
    }

    @Test
    void whatIsNotThereIsReadEachTime() {
        assertThat(service.find(caller, List.of("d1"))).isEmpty();
        assertThat(readsOf("d1")).isEqualTo(1);
        bench.delegate("d1", SHORT);
        assertThat(service.find(caller, List.of("d1"))).containsKey("d1");
    }

    @Test
    void aRenewalCountsAtOnceAndAnotherNodesAtTheEnd() {
        DelegationService other = bench.start();
        bench.delegate("d1", Duration.ofSeconds(4));
        service.find(caller, List.of("d1"));
        bench.renew("d1", Duration.ofSeconds(8));
        assertThat(endOf("d1")).isEqualTo(NOW.plusSeconds(8));
        other.putProxy(caller, "d1", bench.signed(other.renewProxyReq(caller, "d1"), SHORT));
        assertThat(endOf("d1")).isEqualTo(NOW.plusSeconds(8));
        bench.clock.advance(Duration.ofSeconds(8));
        assertThat(endOf("d1")).isEqualTo(NOW.plus(SHORT));
    }

    @Test
    void oneThatWasDestroyedIsNotFound() {
        bench.delegate("d1", SHORT);
        service.find(caller, List.of("d1"));
        service.destroy(caller, "d1");
        assertThat(service.find(caller, List.of("d1"))).isEmpty();
    }

    private Instant endOf(String id) {
        return service.find(caller, List.of(id)).get(id).expiresAt();
    }

    private long readsOf(String id) {
        long before = bench.database.statements();
        service.find(caller, List.of(id));
        return bench.database.statements() - before;
    }

    private static void refused(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(DelegationRefused.class).hasMessage(text);
    }

    private static void refusedWith(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(DelegationRefused.class).hasMessageStartingWith(text);
    }
}
