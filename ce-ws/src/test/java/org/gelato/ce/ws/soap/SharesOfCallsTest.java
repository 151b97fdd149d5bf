package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One user's costly calls held all request threads. */
class SharesOfCallsTest {
    private static final String STATUS = "http://glite.org/2007/11/ce/cream/JobStatus";
    private static final String CALL = Envelopes.soap11("<t:JobStatusRequest/>");

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final CountDownLatch done = new CountDownLatch(1);
    private SoapServer server;

    @BeforeEach
    void start() throws Exception {
        server = new SoapServer("");
    }

    @AfterEach
    void stop() throws Exception {
        done.countDown();
        clients.shutdownNow();
        server.close();
    }

    private static Caller caller(String name, String fqan) {
        return new Caller(
                new GridIdentity("CN=" + name + ",O=Test", List.of(fqan), "dteam", false, Instant.MAX, List.of()),
                "dteam001",
                false);
    }

    private SoapServer.Response call() throws Exception {
        return server.call(SoapServer.CREAM2, STATUS, CALL);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void oneUserUnderTwoFqansLeavesThreadsToOthers() throws Exception {
        server.jobs.work = () -> awaitQuietly(done);
        List<Future<SoapServer.Response>> held = new ArrayList<>();
        for (int i = 1; i <= SoapServer.CALLS_PER_USER; i++) {
            server.callers.who = caller("Alice", i % 2 == 0 ? "/dteam" : "/dteam/Role=pilot");
            held.add(clients.submit(this::call));
            int begun = i;
            Awaitility.await().until(() -> server.jobs.calls.size() == begun);
        }
        server.jobs.work = () -> {};

        List<Future<SoapServer.Response>> waiting = new ArrayList<>();
        for (int i = 0; i < SoapServer.CALLS_WAITING; i++) {
            waiting.add(clients.submit(this::call));
        }
        // One of these comes too many, whichever it is: the others wait without a thread.
        waiting.add(clients.submit(this::call));
        Awaitility.await().until(() -> waiting.stream().anyMatch(Future::isDone));
        SoapServer.Response refused = waiting.stream()
                .filter(Future::isDone)
                .findFirst()
                .orElseThrow()
                .get();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.head()).contains("Retry-After: 1");
        assertThat(refused.body()).contains("3 calls of this client wait already");
        waiting.removeIf(Future::isDone);
        assertThat(server.jobs.calls).hasSize(SoapServer.CALLS_PER_USER);
        server.callers.who = caller("Bob", "/dteam");
        assertThat(call().status()).isEqualTo(200);

        done.countDown();
        for (Future<SoapServer.Response> response : held) {
            assertThat(response.get().status()).isEqualTo(200);
        }
        for (Future<SoapServer.Response> response : waiting) {
            assertThat(response.get().status()).isEqualTo(200);
        }
        server.callers.who = caller("Alice", "/dteam");
        Awaitility.await().until(() -> call().status() == 200);
    }

    @Test
    void aCallThatFailsGivesItsPlaceBack() throws Exception {
        server.jobs.failure = new IllegalStateException("broken");
        for (int i = 0; i < 2 * SoapServer.CALLS_PER_USER; i++) {
            assertThat(call().status()).isEqualTo(500);
        }
        server.jobs.failure = null;
        Awaitility.await().until(() -> call().status() == 200);
    }
}
