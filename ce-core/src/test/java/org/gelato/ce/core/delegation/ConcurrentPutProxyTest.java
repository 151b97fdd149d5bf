package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConcurrentPutProxyTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Duration LIFE = Duration.ofHours(12);

    private final DelegationBench bench = new DelegationBench(DB.database());
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void close() {
        threads.shutdownNow();
        bench.close();
    }

    @Test
    void twoNewProxiesUnderOneIdMakeOneDelegation() throws Exception {
        for (int round = 0; round < 5; round++) {
            String id = "d" + round;
            atOnce(List.of(
                    put(id, bench.service.getProxyReq(bench.caller, id), LIFE),
                    put(id, bench.service.getProxyReq(bench.caller, id), LIFE)));
            consistent(id);
        }
        assertThat(bench.count("delegation")).isEqualTo(5);
        assertThat(bench.count("delegation_request WHERE LENGTH(private_key) > 0"))
                .isZero();
    }

    @Test
    void renewalsAtOnceLeaveRowAndFileTheSame() throws Exception {
        bench.delegate("d1", LIFE);
        for (int round = 0; round < 3; round++) {
            List<Callable<Void>> puts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                puts.add(put("d1", bench.service.renewProxyReq(bench.caller, "d1"), LIFE));
            }
            atOnce(puts);
            consistent("d1");
        }
    }

    @Test
    void aFileWrittenLateDoesNotHideANewerProxy() throws Exception {
        bench.delegate("d1", LIFE);
        CompletableFuture<Void> late = new CompletableFuture<>();
        AtomicInteger order = new AtomicInteger();
        bench.accounts.beforePut =
                file -> order.incrementAndGet() == 1 ? late : CompletableFuture.completedFuture(null);
        String older = bench.service.renewProxyReq(bench.caller, "d1");
        Future<Void> first = threads.submit(put("d1", older, LIFE.plusHours(1)));
        await().until(() -> order.get() == 1);
        bench.renew("d1", LIFE.plusHours(2));
        late.complete(null);
        first.get();
        consistent("d1");
        assertThat(bench.fileOf("d1").get(0).getNotAfter().toInstant()).isEqualTo(NOW.plus(LIFE.plusHours(2)));
    }

    /** Two dozen clients of one user that renew at once, as the slowest of them sees it. */
    @Test
    void aFileIsWrittenHoweverManyNewerProxiesAreStoredMeanwhile() {
        bench.delegate("d1", LIFE);
        AtomicInteger meanwhile = new AtomicInteger();
        AtomicBoolean inside = new AtomicBoolean();
        bench.accounts.beforePut = file -> {
            if (meanwhile.get() < 24 && inside.compareAndSet(false, true)) {
                meanwhile.incrementAndGet();
                bench.renew("d1", LIFE);
                inside.set(false);
            }
            return CompletableFuture.completedFuture(null);
        };
        bench.renew("d1", LIFE);
        assertThat(meanwhile).hasValue(24);
        consistent("d1");
    }

    @Test
    void aFileWrittenAfterItsDelegationWasDestroyedIsRemoved() throws Exception {
        bench.delegate("d1", LIFE);
        CompletableFuture<Void> late = new CompletableFuture<>();
        AtomicInteger order = new AtomicInteger();
        bench.accounts.beforePut = file -> {
            order.incrementAndGet();
            return late;
        };
        String request = bench.service.renewProxyReq(bench.caller, "d1");
        Future<Void> renewal = threads.submit(put("d1", request, LIFE.plusHours(1)));
        await().until(() -> order.get() == 1);
        bench.service.destroy(bench.caller, "d1");
        late.complete(null);
        assertThatThrownBy(renewal::get).hasMessageContaining("not found!");
        assertThat(bench.accounts.files()).isEmpty();
    }

    private Callable<Void> put(String id, String request, Duration life) {
        String proxy = bench.signed(request, life);
        return () -> {
            bench.service.putProxy(bench.caller, id, proxy);
            return null;
        };
    }

    private void atOnce(List<Callable<Void>> calls) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(calls.size());
        List<Future<Void>> results = new ArrayList<>();
        for (Callable<Void> call : calls) {
            results.add(threads.submit(() -> {
                barrier.await();
                return call.call();
            }));
        }
        for (Future<Void> result : results) {
            result.get();
        }
    }

    private void consistent(String id) {
        assertThat(bench.fileOf(id).get(1).getPublicKey()).isEqualTo(bench.storedKey(id));
        assertThat(bench.marked(id)).isTrue();
    }
}
