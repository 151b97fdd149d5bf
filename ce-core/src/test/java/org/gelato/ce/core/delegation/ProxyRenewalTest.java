package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.delegation.AttributeReader.Attributes;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProxyRenewalTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Duration SHORT = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofHours(12);

    private final DelegationBench bench = new DelegationBench(DB.database());

    @BeforeEach
    void delegate() {
        bench.delegate("d1", SHORT);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aRenewalIsFourStatementsAndOneFileWriteWhateverTheNumberOfJobs() {
        assertThat(costOfRenewal(LONG)).isLessThanOrEqualTo(4);
        jobs(300);
        assertThat(costOfRenewal(LONG.plusHours(1))).isLessThanOrEqualTo(4);
    }

    @Test
    void aRenewalReplacesTheProxyUnderTheSamePath() {
        DelegationBench.Row before = bench.ref("d1");
        bench.attributes = new Attributes("dteam", List.of("/dteam/other"), "CN=voms", List.of());
        bench.renew("d1", LONG);
        DelegationBench.Row after = bench.ref("d1");
        assertThat(after.rowId()).isEqualTo(before.rowId());
        assertThat(after.proxyFile()).isEqualTo(before.proxyFile());
        assertThat(after.expiresAt()).isEqualTo(NOW.plus(LONG));
        assertThat(after.info()).contains("VOMS attributes={ /dteam/other }");
        assertThat(bench.fileOf("d1").get(1).getPublicKey()).isEqualTo(bench.storedKey("d1"));
        assertThat(bench.fileOf("d1").get(0).getNotAfter().toInstant()).isEqualTo(NOW.plus(LONG));
        assertThat(bench.marked("d1")).isTrue();
    }

    @Test
    void theRequestOfARenewalIsSpentOnceAndSweptAway() {
        String proxy = bench.signed(bench.service.renewProxyReq(bench.caller, "d1"), LONG);
        bench.service.putProxy(bench.caller, "d1", proxy);
        assertThatThrownBy(() -> bench.service.putProxy(bench.caller, "d1", proxy))
                .hasMessageStartingWith("Delegation request not found! ");
        assertThat(bench.count("delegation_request WHERE LENGTH(private_key) > 0"))
                .isZero();
        bench.service.sweeper().sweep();
        assertThat(bench.count("delegation_request")).isZero();
    }

    @Test
    void aShorterProxyDoesNotReplaceALongerOne() {
        bench.renew("d1", LONG);
        assertThatThrownBy(() -> bench.renew("d1", SHORT))
                .isInstanceOf(DelegationRefused.class)
                .hasMessage(
                        "delegation [delegId=d1; dn=CN=Sample User,O=People,DC=gelato,DC=test; localUser=dteam001] not renewed:"
                                + " the new proxy ends at " + NOW.plus(SHORT)
                                + ", before the present one, which ends at " + NOW.plus(LONG));
        assertThat(bench.ref("d1").expiresAt()).isEqualTo(NOW.plus(LONG));
        bench.renew("d1", LONG);
    }

    @Test
    void theSameProxyDelegatedAgainMayEndTwoMinutesEarlier() {
        bench.renew("d1", LONG);
        String stored = bench.storedChain("d1");
        for (Duration earlier : List.of(Duration.ofSeconds(1), Duration.ofSeconds(33), Duration.ofMinutes(2))) {
            long statements = bench.database.statements();
            int puts = bench.accounts.puts.get();
            bench.renew("d1", LONG.minus(earlier));
            assertThat(bench.database.statements() - statements).isLessThanOrEqualTo(3);
            assertThat(bench.accounts.puts.get()).isEqualTo(puts);
        }
        assertThat(bench.ref("d1").expiresAt()).isEqualTo(NOW.plus(LONG));
        assertThat(bench.storedChain("d1")).isEqualTo(stored);
        assertThat(bench.fileOf("d1").get(0).getNotAfter().toInstant()).isEqualTo(NOW.plus(LONG));
        // Kept proxies leave no requests behind, which would count against the user.
        assertThat(bench.count("delegation_request WHERE LENGTH(private_key) > 0"))
                .isZero();
        assertThatThrownBy(() -> bench.renew("d1", LONG.minusSeconds(121))).isInstanceOf(DelegationRefused.class);
    }

    @Test
    void anEarlierEndWithOtherAttributesIsNotTheSameProxy() {
        bench.renew("d1", LONG);
        bench.attributes = new Attributes("dteam", List.of("/dteam/other"), "CN=voms", List.of());
        assertThatThrownBy(() -> bench.renew("d1", LONG.minusSeconds(30)))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageEndingWith(", and has other VOMS attributes");
    }

    @Test
    void theSameProxyDelegatedAgainGetsAMissingFileWritten() {
        bench.accounts.beforePut = file -> CompletableFuture.failedFuture(
                new AccountCommandException(AccountCommandException.Code.FAILED, "disk full"));
        assertThatThrownBy(() -> bench.renew("d1", LONG)).hasMessageContaining("its file is still to be written");
        bench.accounts.beforePut = file -> CompletableFuture.completedFuture(null);
        bench.renew("d1", LONG.minusSeconds(33));
        assertThat(bench.marked("d1")).isTrue();
        assertThat(bench.fileOf("d1").get(0).getNotAfter().toInstant()).isEqualTo(NOW.plus(LONG));
    }

    @Test
    void anExpiredDelegationCanBeRenewed() {
        bench.clock.advance(SHORT.plusMinutes(1));
        bench.renew("d1", LONG);
        assertThat(bench.ref("d1").expiresAt()).isEqualTo(NOW.plus(LONG));
    }

    @Test
    void aFileThatCouldNotBeWrittenIsNamedAndWrittenWhenTheClientSendsItAgain() {
        bench.accounts.beforePut = file -> CompletableFuture.failedFuture(
                new AccountCommandException(AccountCommandException.Code.FAILED, "disk full"));
        String proxy = bench.signed(bench.service.renewProxyReq(bench.caller, "d1"), LONG);
        Path file = bench.ref("d1").proxyFile();
        assertThatThrownBy(() -> bench.service.putProxy(bench.caller, "d1", proxy))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageContaining("its file is still to be written")
                .hasMessageEndingWith("proxy file " + file + " was not written as dteam001: disk full");
        assertThat(bench.marked("d1")).isFalse();
        // jobs keep the proxy they had
        assertThat(bench.fileOf("d1").get(0).getNotAfter().toInstant()).isEqualTo(NOW.plus(SHORT));

        bench.accounts.beforePut = f -> CompletableFuture.completedFuture(null);
        bench.service.putProxy(bench.caller, "d1", proxy);
        assertThat(bench.marked("d1")).isTrue();
        assertThat(bench.fileOf("d1").get(1).getPublicKey()).isEqualTo(bench.storedKey("d1"));
    }

    @Test
    void aHelperThatDoesNotAnswerIsWaitedForInVainNotForEver() {
        bench.accounts.beforePut = file -> new CompletableFuture<>();
        DelegationService hasty = bench.start(Duration.ofMillis(100));
        String proxy = bench.signed(hasty.renewProxyReq(bench.caller, "d1"), LONG);
        assertThatThrownBy(() -> hasty.putProxy(bench.caller, "d1", proxy))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageContaining("no response within");
        assertThat(bench.marked("d1")).isFalse();
    }

    @Test
    void aCrashBetweenRowAndFileIsRepairedAtStart() {
        bench.accounts.beforePut = file -> {
            throw new OutOfMemoryError("the process dies here");
        };
        assertThatThrownBy(() -> bench.renew("d1", LONG)).isNotNull();
        assertThatThrownBy(() -> bench.delegate("d2", LONG)).isNotNull();
        bench.accounts.beforePut = file -> CompletableFuture.completedFuture(null);
        bench.accounts.directories.clear();

        assertThat(bench.start().repair()).isEqualTo(2);

        for (String id : List.of("d1", "d2")) {
            assertThat(bench.marked(id)).isTrue();
            assertThat(bench.fileOf(id).get(1).getPublicKey()).isEqualTo(bench.storedKey(id));
        }
        assertThat(bench.start().repair()).isZero();
    }

    @Test
    void aRepairThatCanNotReachTheHelperLeavesTheRestForTheNext() {
        bench.accounts.beforePut = file -> CompletableFuture.failedFuture(
                new AccountCommandException(AccountCommandException.Code.BUSY, "helper is down"));
        assertThatThrownBy(() -> bench.delegate("d2", LONG)).hasMessageContaining("helper is down");
        assertThatThrownBy(() -> bench.delegate("d3", LONG)).hasMessageContaining("helper is down");
        int before = bench.accounts.puts.get();
        assertThat(bench.service.repair()).isZero();
        assertThat(bench.accounts.puts.get() - before).isEqualTo(1);
        bench.accounts.beforePut = file -> CompletableFuture.completedFuture(null);
        bench.service.sweeper().sweep();
        assertThat(bench.marked("d2") && bench.marked("d3")).isTrue();
    }

    private long costOfRenewal(Duration life) {
        long statements = bench.database.statements();
        int puts = bench.accounts.puts.get();
        int files = bench.accounts.files().size();
        bench.renew("d1", life);
        assertThat(bench.accounts.puts.get() - puts).isEqualTo(1);
        assertThat(bench.accounts.files()).hasSize(files);
        return bench.database.statements() - statements;
    }

    private void jobs(int number) {
        int owner = bench.owners.owner(bench.caller.identity());
        int account = bench.owners.account("dteam001");
        int queue = bench.owners.queue("slurm", "long");
        int delegation = bench.ref("d1").rowId();
        bench.database.inTransaction(h -> {
            var batch = h.prepareBatch("INSERT INTO job (owner_id, account_id, queue_id, delegation_id, state,"
                    + " state_since, registered_at) VALUES (?, ?, ?, ?, 2, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))");
            for (int i = 0; i < number; i++) {
                batch.add(owner, account, queue, delegation);
            }
            return batch.execute();
        });
    }
}
