package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One user's delegations are bounded in number and bytes; a user who delegates for each job stays within. */
class DelegationQuotaTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final DelegationBench bench = new DelegationBench(DB.database());

    @AfterEach
    void close() {
        bench.close();
    }

    private void delegate(int from, int to) {
        for (int i = from; i < to; i++) {
            bench.delegate("d" + i, Duration.ofHours(12));
        }
    }

    private long bytes() {
        return bench.database.read(h -> h.select("SELECT COALESCE(SUM(bytes), 0) FROM delegation")
                .mapTo(Long.class)
                .one());
    }

    /** A job of the delegation, in a state. */
    private void job(String delegation, String state) {
        int row = bench.ref(delegation).rowId();
        bench.database.inTransaction(h -> {
            return h.execute(
                    "INSERT INTO job (owner_id, account_id, queue_id, delegation_id, state, state_since, registered_at)"
                            + " SELECT ?, account_id, ?, id, ?, NOW(6), NOW(6) FROM delegation WHERE id = ?",
                    bench.owners.owner(bench.caller.identity()),
                    bench.owners.queue("fake", "long"),
                    JobState.valueOf(state).code(),
                    row);
        });
    }

    @Test
    void oneDelegationTooManyIsRefusedWithTheReasonAndStoresNothing() {
        bench.bound(3, 1 << 20);
        delegate(0, 3);
        assertThatThrownBy(() -> delegate(3, 4))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageContaining("[delegId=d3] not stored: 3 delegations of this user")
                .hasMessageContaining("at most 3 with 1048576 bytes are allowed")
                .hasMessageContaining("destroy those that no job needs");
        assertThat(bench.count("delegation")).isEqualTo(3);
        bench.renew("d1", Duration.ofHours(13));
        bench.service.destroy(bench.caller, "d0");
        delegate(3, 4);
        assertThat(bench.ref("d3")).isNotNull();
    }

    @Test
    void bytesAreCountedAsTheDatabaseStoresThem() {
        delegate(0, 2);
        long two = bytes();
        assertThat(two).isGreaterThan(4000);
        bench.bound(100, two + two / 4);
        assertThatThrownBy(() -> delegate(2, 3))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageContaining("2 delegations of this user with " + two + " bytes");
        bench.bound(100, two + two / 2 + 200);
        delegate(2, 3);
        assertThatThrownBy(() -> bench.service.putToken(
                        bench.caller,
                        new DelegatedToken("x".repeat(2000) + ".b.c", DelegationGrid.NOW.plusSeconds(3600))))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageContaining("token not delegated: 3 delegations of this user");
    }

    @Test
    void anotherUserIsNotConcerned() {
        bench.bound(1, 1 << 20);
        delegate(0, 1);
        DelegatedToken token = new DelegatedToken("a.b.c", DelegationGrid.NOW.plusSeconds(3600));
        assertThatThrownBy(() -> bench.service.putToken(bench.caller, token)).isInstanceOf(DelegationRefused.class);
        Caller other = DelegationBench.caller(DelegationGrid.PKI.user("Other"), "dteam001", "/dteam");
        assertThat(bench.service.putToken(other, token)).isNotBlank();
    }

    @Test
    void nearTheQuotaThoseThatNoJobNeedsAreRemoved() {
        bench.bound(10, 1 << 20);
        delegate(0, 9);
        job("d0", "RUNNING");
        job("d1", "DONE_OK");
        job("d2", "REGISTERED");
        assertThat(bench.service.sweeper().sweep()).as("none is old enough").isZero();
        bench.clock.advance(Duration.ofHours(2));
        bench.renew("d3", Duration.ofHours(13));
        assertThat(bench.service.sweeper().sweep()).isEqualTo(4);
        assertThat(bench.cancelled).isEmpty();
        for (String stays : List.of("d0", "d2", "d3", "d7", "d8")) {
            assertThat(bench.ref(stays)).as(stays).isNotNull();
            assertThat(bench.accounts.files()).containsKey(bench.ref(stays).proxyFile());
        }
        assertThat(bench.accounts.files()).hasSize(5);
        assertThat(bench.service.find(bench.caller, List.of("d1", "d4"))).isEmpty();
        bench.clock.advance(Duration.ofHours(2));
        assertThat(bench.service.sweeper().sweep())
                .as("below three quarters none is")
                .isZero();
    }

    /** A client that delegates before each job sends a proxy which ends as the present one does. */
    @Test
    void oneThatTheSameProxyHasConfirmedIsInUse() {
        bench.bound(10, 1 << 20);
        delegate(0, 9);
        bench.clock.advance(Duration.ofHours(2));
        bench.renew("d0", Duration.ofHours(12).minusSeconds(30));
        assertThat(bench.ref("d0").expiresAt()).as("kept").isEqualTo(DelegationGrid.NOW.plus(Duration.ofHours(12)));
        assertThat(bench.service.sweeper().sweep()).isPositive();
        assertThat(bench.ref("d0")).isNotNull();
    }

    @Test
    void oneWhoseFileWasMissingAndWasSentAgainIsInUse() {
        bench.bound(10, 1 << 20);
        delegate(0, 9);
        String proxy = bench.signed(bench.service.renewProxyReq(bench.caller, "d0"), Duration.ofHours(13));
        bench.accounts.beforePut = file -> CompletableFuture.failedFuture(
                new AccountCommandException(AccountCommandException.Code.FAILED, "disk full"));
        assertThatThrownBy(() -> bench.service.putProxy(bench.caller, "d0", proxy))
                .hasMessageContaining("still to be written; send the same again");
        bench.accounts.beforePut = file -> CompletableFuture.failedFuture(new DiskFullException("No space left"));
        assertThatThrownBy(() -> bench.service.putProxy(bench.caller, "d0", proxy))
                .hasMessageContaining("the disk of the CE is full: send the same again when");
        bench.clock.advance(Duration.ofHours(2));
        bench.accounts.beforePut = file -> CompletableFuture.completedFuture(null);
        bench.service.putProxy(bench.caller, "d0", proxy);
        assertThat(bench.service.sweeper().sweep()).isPositive();
        assertThat(bench.ref("d0")).isNotNull();
    }

    @Test
    void aSweepThatIsKilledAfterTheFilesIsFinishedByALaterOne() {
        bench.bound(4, 1 << 20);
        delegate(0, 4);
        bench.clock.advance(Duration.ofHours(2));
        DelegationStore store = new DelegationStore(bench.database);
        int row = bench.ref("d0").rowId();
        assertThat(store.endUnused(List.of(row), bench.clock.instant().minusSeconds(60), bench.clock.instant()))
                .containsExactly(row);
        bench.bound(100, 1 << 20);
        assertThat(bench.service.sweeper().sweep()).as("somebody may be at it").isZero();
        bench.clock.advance(DelegationRemoval.LEFT.plusMinutes(1));
        assertThat(bench.service.sweeper().sweep()).isEqualTo(1);
        assertThat(bench.service.find(bench.caller, List.of("d0"))).isEmpty();
        assertThat(bench.service.find(bench.caller, List.of("d1"))).isNotEmpty();
    }

    @Test
    void aDelegationThatAJobTookMeanwhileStays() {
        bench.bound(4, 1 << 20);
        delegate(0, 4);
        bench.clock.advance(Duration.ofHours(2));
        bench.accounts.beforeDiscard = () -> job("d0", "IDLE");
        assertThat(bench.service.sweeper().sweep()).isEqualTo(1);
        assertThat(bench.ref("d0")).isNotNull();
        assertThat(bench.accounts.files()).containsKey(bench.ref("d0").proxyFile());
    }
}
