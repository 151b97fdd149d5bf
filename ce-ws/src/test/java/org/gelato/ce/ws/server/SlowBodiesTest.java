package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that send almost nothing. The connection's own timeout is longer than this test's: a response that comes at all
 * is one that was not waited for.
 */
class SlowBodiesTest extends ServerFixture {
    private static final HttpConfig PATIENT = new HttpConfig(
            8, 50, 1, 1 << 20, Duration.ofMinutes(5), Duration.ofMinutes(5), 2, 8, 50, Duration.ofMinutes(5));
    private static final Duration STEP = Duration.ofSeconds(40);

    private final AtomicLong now = new AtomicLong();

    /** Each reading of this clock finds it {@link #STEP} later. */
    @BeforeEach
    void restart() {
        server.close();
        AsyncExchanges bodies = new AsyncExchanges(
                MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, () -> now.addAndGet(STEP.toNanos()));
        server = new CeServer(
                new CeServer.Settings("127.0.0.1", 0, PATIENT, directory.resolve("patient"), c -> {}),
                listeners(bodies, LIMITS));
        server.start();
    }

    private String send(String method, String path, int announced, String headers, int sent) throws IOException {
        return raw(method + " " + path + " HTTP/1.1\r\nHost: ce\r\n" + headers + "Content-Length: " + announced
                + "\r\n\r\n" + "x".repeat(sent));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ce-cream/services/Echo", "/ce-cream/wrapper-events", "/ce-cream/wrapper-claims"})
    void aBodyThatDripsIsAnsweredWith408AndTheConnectionClosed(String path) throws Exception {
        // Its bytes come in two reads at least: the second one is late.
        String head = "POST " + path + " HTTP/1.1\r\nHost: ce\r\nTransfer-Encoding: chunked\r\n\r\n";
        String response = raw(head + "1\r\nx\r\n".repeat(3));
        assertThat(response)
                .startsWith("HTTP/1.1 408")
                .contains("Connection: close")
                .contains("bytes per second");
    }

    @Test
    void anUploadThatDripsIsAnsweredWith408AndGoesOnWhereItWas() throws Exception {
        String path = "/ce-cream/input/" + FakeServices.JOB + "/file";
        String head = "PUT " + path + " HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(raw(head + "1\r\nx\r\n".repeat(3))).startsWith("HTTP/1.1 408");
    }

    @Test
    void theRestOfWhatWasRefusedIsNotWaitedForForEver() throws Exception {
        String path = "/ce-cream/input/" + FakeServices.JOB + "/file";
        String response = send("PUT", path, 1_000_000_000, "X-Caller: mallory\r\n", 10_000);
        assertThat(response).startsWith("HTTP/1.1 4").doesNotStartWith("HTTP/1.1 408");
    }

    @Test
    void aBodyNobodyAskedForIsNotWaitedFor() throws Exception {
        assertThat(send("GET", "/health/live", 1_000_000, "", 10)).startsWith("HTTP/1.1 200");
        assertThat(send("GET", "/nowhere", 1_000_000, "", 10)).startsWith("HTTP/1.1 404");
    }

    @Test
    void neitherChunkExtensionsNorTrailersAreWaitedFor() throws Exception {
        String head = "POST /ce-cream/services/Echo HTTP/1.1\r\nHost: ce\r\nTransfer-Encoding: chunked\r\n\r\n";
        // The connection ends: the parser has lost its place in what is sent.
        assertThat(raw(head + "1;a")).isEmpty();
        assertThat(raw(head + "0\r\nTrailer: not the end")).isEmpty();
        String whole = head.replace("Host: ce", "Host: ce\r\nConnection: close");
        assertThat(raw(whole + "2\r\nhi\r\n0\r\n\r\n")).startsWith("HTTP/1.1 200");
    }
}
