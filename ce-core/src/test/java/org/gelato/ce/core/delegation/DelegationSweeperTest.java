package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelegationSweeperTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final DelegationBench bench = new DelegationBench(DB.database());

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void expiredDelegationsEndLikeDestroyedOnes() {
        bench.delegate("short1", Duration.ofMinutes(10));
        bench.delegate("short2", Duration.ofMinutes(20));
        bench.delegate("long", Duration.ofHours(12));
        List<String> rows = List.of(
                bench.ref("short1").rowId() + " job cancelled because the related delegation has expired",
                bench.ref("short2").rowId() + " job cancelled because the related delegation has expired");
        assertThat(bench.service.sweeper().sweep()).isZero();

        bench.clock.advance(Duration.ofMinutes(20));
        assertThat(bench.service.sweeper().sweep()).isEqualTo(2);

        assertThat(bench.cancelled).containsExactlyElementsOf(rows);
        assertThat(bench.accounts.files()).containsOnlyKeys(bench.ref("long").proxyFile());
        assertThat(bench.count("delegation")).isEqualTo(1);
        assertThat(bench.count("proxy_file")).isEqualTo(1);
    }

    @Test
    void oneDelegationWhoseJobsCanNotBeCancelledHoldsNobodyUp() {
        bench.delegate("stuck", Duration.ofMinutes(10));
        bench.delegate("free", Duration.ofMinutes(10));
        int stuck = bench.ref("stuck").rowId();
        bench.end = (id, reason) -> {
            if (id == stuck) {
                throw new IllegalStateException("not now");
            }
        };
        bench.clock.advance(Duration.ofMinutes(10));
        assertThat(bench.service.sweeper().sweep()).isEqualTo(1);
        assertThat(bench.ref("stuck")).isNotNull();
        bench.end = (id, reason) -> {};
        assertThat(bench.service.sweeper().sweep()).isEqualTo(1);
    }

    @Test
    void aDelegationRenewedBeforeItsTurnStaysWithItsJobsAndItsFile() {
        bench.delegate("a", Duration.ofMinutes(10));
        bench.delegate("b", Duration.ofMinutes(20));
        int a = bench.ref("a").rowId();
        bench.clock.advance(Duration.ofMinutes(20));
        DelegationStore store = new DelegationStore(DB.database());
        List<DelegationStore.Ending> listed = store.expired(bench.clock.instant(), 10);
        assertThat(listed).hasSize(2);
        bench.renew("b", Duration.ofHours(12)); // while the sweep works on what came before
        DelegationRemoval removal = new DelegationRemoval(
                store,
                new ProxyFiles(bench.layout, bench.accounts),
                (id, reason) -> bench.end.cancelJobsOf(id, reason),
                bench.clock);
        assertThat(removal.end(listed, bench.clock.instant(), (unended, e) -> {}))
                .isOne();
        assertThat(bench.cancelled).containsExactly(a + " " + DelegationRemoval.REASON);
        assertThat(bench.accounts.files()).containsOnlyKeys(bench.ref("b").proxyFile());
        assertThat(bench.marked("b")).isTrue();
        assertThat(bench.ref("a")).isNull();
    }

    @Test
    void aHomeThatHangsHoldsUpNoEndOfADelegation() {
        List<String> accounts = List.of("dteam001", "dteam002", "dteam003");
        for (String account : accounts) {
            Caller caller = DelegationBench.caller(DelegationGrid.USER, account, "/dteam");
            bench.service.putProxy(
                    caller, "d", bench.signed(bench.service.getProxyReq(caller, "d"), Duration.ofMinutes(10)));
        }
        bench.clock.advance(Duration.ofMinutes(20));
        bench.accounts.hangingDiscards = "dteam002";
        AtomicLong nanos = new AtomicLong();
        AtomicInteger requests = new AtomicInteger();
        bench.accounts.beforeDiscard = requests::incrementAndGet;
        DelegationStore store = new DelegationStore(DB.database());
        DelegationRemoval removal = new DelegationRemoval(
                store,
                new ProxyFiles(bench.layout, bench.accounts),
                (id, reason) -> bench.end.cancelJobsOf(id, reason),
                bench.clock,
                () -> nanos.addAndGet(ProxyFiles.PATIENCE.toNanos() / 3));
        List<DelegationStore.Ending> expired = store.expired(bench.clock.instant(), 10);
        assertThat(expired).hasSize(3);
        assertThat(removal.end(expired, bench.clock.instant(), (unended, e) -> {}))
                .isEqualTo(3);
        assertThat(bench.cancelled).hasSize(3);
        assertThat(bench.accounts.files()).as("the one of the home that hangs").hasSize(1);
        assertThat(bench.count("delegation")).isZero();
        assertThat(requests).hasValue(3);
    }

    @Test
    void aDelegationThatHasEndedCannotBeRenewedWhileItIsRemoved() {
        bench.delegate("d1", Duration.ofMinutes(10));
        String renewal = bench.service.renewProxyReq(bench.caller, "d1");
        bench.clock.advance(Duration.ofMinutes(10));
        List<String> refusals = new ArrayList<>();
        bench.end = (id, reason) -> {
            bench.cancelled.add(id + " " + reason);
            refused(refusals, () -> bench.renew("d1", Duration.ofHours(1)));
            refused(
                    refusals,
                    () -> bench.service.putProxy(bench.caller, "d1", bench.signed(renewal, Duration.ofHours(1))));
            refused(refusals, () -> bench.delegate("d1", Duration.ofHours(1)));
        };
        assertThat(bench.service.sweeper().sweep()).isOne();
        assertThat(bench.cancelled).hasSize(1);
        assertThat(refusals).hasSize(3);
        assertThat(refusals.get(0)).contains("not found");
        assertThat(refusals.subList(1, 3)).allMatch(text -> text.contains("is being removed"));
        assertThat(bench.accounts.files()).isEmpty();
        bench.delegate("d1", Duration.ofHours(1));
        assertThat(bench.marked("d1")).isTrue();
    }

    private static void refused(List<String> refusals, Runnable call) {
        try {
            call.run();
        } catch (ServiceException.DelegationRefused e) {
            refusals.add(e.getMessage());
        }
    }

    /** As a kill: an Error is caught nowhere. */
    private static void killed() {
        throw new StackOverflowError("as if the process had ended here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"discard", "cancel"})
    void whatAKilledSweepLeftIsRemovedByALaterOne(String at) {
        bench.delegate("d1", Duration.ofMinutes(10));
        bench.clock.advance(Duration.ofMinutes(10));
        DelegationEnd end = bench.end;
        if (at.equals("cancel")) {
            bench.end = (id, reason) -> killed();
        } else {
            bench.accounts.before("discard", DelegationSweeperTest::killed);
        }
        assertThatThrownBy(() -> bench.service.sweeper().sweep()).isInstanceOf(StackOverflowError.class);
        bench.end = end;
        bench.accounts.before("discard", () -> {});
        DelegationService restarted = bench.start();
        restarted.repair();
        assertThatThrownBy(() -> bench.renew("d1", Duration.ofHours(1)))
                .as("it has ended, with its jobs")
                .isInstanceOf(ServiceException.DelegationRefused.class);
        bench.clock.advance(DelegationRemoval.LEFT.plusSeconds(1));
        assertThat(restarted.sweeper().sweep()).isOne();
        assertThat(bench.cancelled).hasSize(1);
        assertThat(bench.accounts.files()).isEmpty();
        assertThat(bench.count("delegation")).isZero();
    }

    @Test
    void aDestroyedDelegationWhoseRemovalWasKilledIsRemovedThoughItsProxyIsValid() {
        bench.delegate("d1", Duration.ofHours(12));
        bench.accounts.before("discard", DelegationSweeperTest::killed);
        assertThatThrownBy(() -> bench.service.destroy(bench.caller, "d1")).isInstanceOf(StackOverflowError.class);
        bench.accounts.before("discard", () -> {});
        assertThat(bench.service.find(bench.caller, List.of("d1"))).isEmpty();
        bench.clock.advance(DelegationRemoval.LEFT.plusSeconds(1));
        assertThat(bench.service.sweeper().sweep()).isOne();
        assertThat(bench.cancelled).hasSize(1);
        assertThat(bench.accounts.files()).isEmpty();
        assertThat(bench.count("delegation")).isZero();
    }

    @Test
    void requestsOlderThanADayAreForgotten() {
        bench.service.getProxyReq(bench.caller, "old");
        bench.clock.advance(Duration.ofHours(23));
        bench.service.getProxyReq(bench.caller, "new");
        bench.service.sweeper().sweep();
        assertThat(bench.count("delegation_request")).isEqualTo(2);
        bench.clock.advance(Duration.ofHours(1).plusSeconds(1));
        bench.service.sweeper().sweep();
        assertThat(bench.count("delegation_request")).isEqualTo(1);
    }
}
