package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that hold on to what they get, each group of them larger than the number of request threads, beside an honest one. No
 * timeout of the server ends before this test does: responses come despite them.
 */
class HostileClientsTest extends ServerFixture {
    private static final int THREADS = 8;
    private static final int FEW = 12;
    private static final int LARGEST = 1 << 20;
    private static final HttpConfig PATIENT = new HttpConfig(
            THREADS, 100, 2, LARGEST, Duration.ofMinutes(5), Duration.ofMinutes(5), 2, 8, 30, Duration.ofMinutes(5));

    private final MemoryBudget memory = new MemoryBudget(4 * LARGEST, LARGEST);
    private final List<Socket> hostile = new ArrayList<>();

    @BeforeEach
    void restart() {
        restart(PATIENT);
    }

    private void restart(HttpConfig http) {
        server.close();
        AsyncExchanges exchanges = new AsyncExchanges(memory, MinimumRate.Slowest.USUAL, System::nanoTime);
        server = new CeServer(
                new CeServer.Settings("127.0.0.1", 0, http, directory.resolve("hostile"), c -> {}),
                listeners(exchanges, LIMITS));
        server.start();
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : hostile) {
            socket.close();
        }
    }

    private Socket open(int from) throws IOException {
        Socket socket = new Socket();
        hostile.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) from}), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        return socket;
    }

    private void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private void goodClientIsServed() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        HttpRequest echo = HttpRequest.newBuilder(uri("/ce-cream/services/Echo"))
                .timeout(Duration.ofMinutes(1))
                .POST(HttpRequest.BodyPublishers.ofString("hello"))
                .build();
        assertThat(client.send(echo, BodyHandlers.ofString()).body()).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ce-cream/wrapper-events", "/ce-cream/wrapper-claims", "/ce-cream/services/Echo"})
    void bodiesThatDripHoldNoRequestThread(String path) throws Exception {
        for (int i = 0; i < FEW; i++) {
            send(open(2), "POST " + path + " HTTP/1.1\r\nHost: ce\r\nContent-Length: 1000\r\n\r\nx");
        }
        goodClientIsServed();
        for (Socket socket : hostile) {
            send(socket, "y");
        }
        goodClientIsServed();
    }

    @Test
    void chunkedBodiesThatDripHoldNoRequestThread() throws Exception {
        String head = "POST /ce-cream/services/Echo HTTP/1.1\r\nHost: ce\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (int i = 0; i < FEW; i++) {
            send(open(2), head + "5\r\nab");
        }
        goodClientIsServed();
    }

    @Test
    void uploadsThatDripHoldNoRequestThread() throws Exception {
        for (int i = 0; i < FEW; i++) {
            send(
                    open(2),
                    "PUT /ce-cream/input/" + FakeServices.JOB + "/file" + i
                            + " HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nContent-Length: 1000\r\n\r\nx");
        }
        goodClientIsServed();
    }

    @Test
    void pipelinedAnswersThatAreNotReadHoldNoRequestThread() throws Exception {
        // Each answer is larger than what the sockets buffer, and many are requested at once.
        String body = "x".repeat(LARGEST / 16);
        String request = "POST /ce-cream/services/Echo HTTP/1.1\r\nHost: ce\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        for (int i = 0; i < FEW; i++) {
            Socket socket = open(2);
            Thread sender = new Thread(() -> {
                try {
                    for (int n = 0; n < 200; n++) {
                        send(socket, request);
                    }
                } catch (IOException e) {
                    // The test has ended.
                }
            });
            sender.setDaemon(true);
            sender.start();
        }
        // The answers wait in memory now.
        await().atMost(Duration.ofMinutes(1)).until(() -> memory.held() > 0);
        goodClientIsServed();
    }

    /** More connections than threads, each never without a next request, and answers that are read at once. */
    @ParameterizedTest
    @ValueSource(strings = {"/health/live", OUTPUT, "/nowhere"})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void pipelinesWithoutEndLetOthersHaveTheirTurn(String path) throws Exception {
        restart(new HttpConfig(
                2, 100, 2, LARGEST, Duration.ofMinutes(5), Duration.ofMinutes(5), 2, 8, 30, Duration.ofMinutes(5)));
        String requests = ("GET " + path + " HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\n\r\n").repeat(200);
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(50);
        for (int i = 0; i < 4; i++) {
            background(() -> {
                while (!over.get()) {
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                        background(() -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
                        while (!over.get()) {
                            send(socket, requests);
                            begun.countDown();
                        }
                    } catch (IOException e) {
                        // Closed after a row; it comes again.
                    }
                }
            });
        }
        begun.await();
        for (int i = 0; i < 5; i++) {
            goodClientIsServed();
        }
        over.set(true);
    }

    @Test
    void aRowOfRequestsEndsWithTheConnectionAndOneWhoWaitsForAnswersKeepsIt() throws Exception {
        String request = "GET /health/live HTTP/1.1\r\nHost: ce\r\n\r\n";
        Socket row = open(2);
        send(row, request.repeat(1000));
        String responses = new String(row.getInputStream().readNBytes(1000), StandardCharsets.US_ASCII);
        try {
            row.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // Reset, as requests were left.
        }

        // Each answer has the same length.
        int length = responses.indexOf("HTTP/1.1 200", 1);
        Socket patient = open(2);
        for (int i = 0; i < 300; i++) {
            send(patient, request);
            assertThat(new String(patient.getInputStream().readNBytes(length), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200")
                    .doesNotContain("close");
        }
    }

    private interface Traffic {
        void run() throws IOException;
    }

    private static void background(Traffic traffic) {
        Thread thread = new Thread(() -> {
            try {
                traffic.run();
            } catch (IOException e) {
                // The connection or the test has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void errorsThatAreNotReadHoldNoRequestThread() throws Exception {
        String request = "GET /nowhere HTTP/1.1\r\nHost: ce\r\n\r\n".repeat(2000);
        for (int i = 0; i < FEW; i++) {
            Socket socket = open(2);
            Thread sender = new Thread(() -> {
                try {
                    for (int n = 0; n < 100; n++) {
                        send(socket, request);
                    }
                } catch (IOException e) {
                    // The test has ended.
                }
            });
            sender.setDaemon(true);
            sender.start();
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> memory.held() > 0);
        goodClientIsServed();
    }

    @Test
    void memoryForBodiesIsTakenBeforeTheyAreReadAndGivenBackWhenTheirClientGoes() throws Exception {
        String head =
                "POST /ce-cream/services/Echo HTTP/1.1\r\nHost: ce\r\nContent-Length: " + (LARGEST - 3) + "\r\n\r\n";
        Socket holder = open(2);
        send(holder, head + "x");
        await().until(() -> memory.held() >= LARGEST - 3);

        // Echo counts all its callers as one.
        HttpResponse<String> refused = post("/ce-cream/services/Echo", "hello");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        assertThat(refused.body()).contains("bytes of memory", "at most " + LARGEST);
        assertThat(post("/ce-cream/wrapper-events", "hello").statusCode()).isEqualTo(400);

        holder.close();
        await().atMost(Duration.ofMinutes(1)).until(() -> memory.held() == 0);
        goodClientIsServed();
        await().until(() -> memory.held() == 0);
    }

    @Test
    void connectionsOfOneAddressAreBoundedAndOthersComeIn() throws Exception {
        for (int i = 0; i < 200; i++) {
            open(2);
        }
        goodClientIsServed();
        // Also from the same address: the oldest silent one makes room.
        Socket late = open(2);
        send(late, "GET /health/live HTTP/1.1\r\nHost: ce\r\nConnection: close\r\n\r\n");
        late.setSoTimeout(60_000);
        assertThat(new String(late.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 200");
        await().until(() ->
                hostile.stream().filter(HostileClientsTest::isClosedByServer).count() >= 150);
    }

    private static boolean isClosedByServer(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aHeadThatDripsHasADeadlineAsAWhole() throws Exception {
        restart(new HttpConfig(
                THREADS,
                100,
                2,
                LARGEST,
                Duration.ofMinutes(5),
                Duration.ofMinutes(5),
                2,
                8,
                30,
                Duration.ofSeconds(1)));
        Socket slow = open(2);
        send(slow, "GET /health/live HTTP/1.1\r\n");
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    try {
                        send(slow, "X");
                    } catch (IOException e) {
                        return true;
                    }
                    return isClosedByServer(slow);
                });
    }
}
