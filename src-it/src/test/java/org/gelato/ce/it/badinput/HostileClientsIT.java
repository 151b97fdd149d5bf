package org.gelato.ce.it.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What ended a CE or starved its honest users, on a whole CE of default limits with 256 MiB of heap. */
class HostileClientsIT {
    /** More than twice the memory. */
    private static final int BODIES = 60;

    private static final int BODY = 10 << 20;
    private static final int SHORT = 400;
    private static final byte[] PIECE = "x".repeat(64 << 10).getBytes(StandardCharsets.US_ASCII);

    private static SiteCe ce;
    private static GridPki pki;

    private final List<Socket> hostile = new ArrayList<>();

    @BeforeAll
    static void start() {
        // Hundreds of connections are opened before the first is used, which takes long on a busy machine.
        ce = new SiteCe("hostile", "fork", JobAccount.name(), Map.of("gelato.http.timeout", "5 minutes"));
        pki = ce.pki();
        ce.start(ce.program("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"), Map.of(), "/health/ready");
    }

    @AfterAll
    static void stop() {
        ce.close();
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : hostile) {
            socket.close();
        }
    }

    private static RawClient client(String user) {
        return new RawClient(ce, user == null ? null : pki.proxy(pki.user(user)).make());
    }

    private static void isServed(RawClient client) throws IOException {
        assertThat(client.cream2("JobList", "").status()).isEqualTo(200);
        assertThat(client.get("/health/live").status()).isEqualTo(200);
    }

    /** Sends all but the last bytes, or as much as is taken; the response, empty when none came. */
    private static String register(SSLSocket socket) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + RawClient.CREAM2
                            + " HTTP/1.1\r\nHost: ce\r\nContent-Type: text/xml\r\nContent-Length: " + BODY + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            for (int left = BODY - SHORT; left > 0; left -= PIECE.length) {
                out.write(PIECE, 0, Math.min(PIECE.length, left));
            }
        } catch (IOException e) {
            // The CE does not read on; it may have responded.
        }
        try {
            InputStream in = socket.getInputStream();
            byte[] head = in.readNBytes(256);
            return new String(head, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void largeBodiesHeldShortOfTheirEndDoNotEndTheServer() throws Exception {
        RawClient alice = client("Alice");
        RawClient bob = client("Bob");
        isServed(bob);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<String>> responses = new ArrayList<>();
            for (int i = 0; i < BODIES; i++) {
                SSLSocket socket = alice.connect();
                hostile.add(socket);
                responses.add(CompletableFuture.supplyAsync(() -> register(socket), threads));
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(responses.toArray(CompletableFuture<?>[]::new));
            do {
                isServed(bob);
            } while (!all.isDone());
            List<String> refused = responses.stream()
                    .map(CompletableFuture::join)
                    .filter(response -> response.startsWith("HTTP/1.1 503"))
                    .toList();
            // A connection that is reset under a client that still sends loses some responses, more of them under load.
            assertThat(refused)
                    .isNotEmpty()
                    .allSatisfy(response -> assertThat(response).containsIgnoringCase("Retry-After: 1"));
        } finally {
            threads.shutdownNow();
        }
        end();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> alice.cream2("JobList", "").status() == 200);
        assertThat(ce.process().isAlive()).isTrue();
    }

    @Test
    void strangersWhoDripHoldNoRequestThread() throws Exception {
        RawClient alice = client("Alice");
        RawClient stranger = client(null);
        for (int i = 0; i < 70; i++) {
            SSLSocket socket = stranger.connect();
            hostile.add(socket);
            socket.getOutputStream()
                    .write("POST /ce-cream/wrapper-events HTTP/1.1\r\nHost: ce\r\nContent-Length: 1000\r\n\r\nj"
                            .getBytes(StandardCharsets.US_ASCII));
        }
        for (int i = 0; i < 5; i++) {
            isServed(alice);
            for (Socket socket : hostile) {
                socket.getOutputStream().write('o');
            }
        }
    }

    /** ArcHostileClientsIT has users who do in each run. */
    @Test
    @Tag("long")
    void strangersWhoPipelineRequestsForTheDescriptionAndDoNotReadHoldNoRequestThread() throws Exception {
        RawClient alice = client("Alice");
        RawClient stranger = client(null);
        byte[] requests = ("GET " + RawClient.CREAM2 + "?wsdl HTTP/1.1\r\nHost: ce\r\n\r\n")
                .repeat(200)
                .getBytes(StandardCharsets.US_ASCII);
        // More than there are request threads.
        for (int i = 0; i < 66; i++) {
            SSLSocket socket = stranger.connectFrom(loopback(4));
            hostile.add(socket);
            socket.getOutputStream().write(requests);
        }
        for (int i = 0; i < 5; i++) {
            isServed(alice);
            isServed(client("Bob"));
        }
        // They were not just refused: what was requested is there for who reads on.
        byte[] head = hostile.get(0).getInputStream().readNBytes(12);
        assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    }

    private static InetAddress loopback(int last) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    @Test
    @Tag("long")
    void usersBehindOneAddressHaveMoreConnectionsThanStrangersAndAllFitIntoTheUsualDescriptors() throws Exception {
        // With the usual bounds 400 connections, 128 of an address without certificate, and 1024 descriptors.
        List<SSLSocket> users = new ArrayList<>();
        RawClient alice = client("Alice");
        for (int i = 0; i < 160; i++) {
            SSLSocket socket = alice.connectFrom(loopback(5));
            hostile.add(socket);
            users.add(socket);
        }
        for (int i = 0; i < 210; i++) {
            hostile.add(client(null).connectFrom(loopback(6 + i / 105)));
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> metric("tomcat_connections_current") > 370);
        for (SSLSocket user : users) {
            user.getOutputStream()
                    .write("GET /health/live HTTP/1.1\r\nHost: ce\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        for (SSLSocket user : users) {
            assertThat(new String(user.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
        }
        assertThat(metric("process_files_open_files")).isBetween(370.0, 800.0);
        // A job needs descriptors of files, database and helper beside them.
        SiteUser carol = ce.user("Carol");
        carol.must("", "delegate", "carol");
        carol.await(carol.submit(SiteUser.shellJob("exit 0"), "-D", "carol"), "DONE-OK");
        assertThat(Files.readString(ce.log())).doesNotContain("Too many open files");
    }

    private static double metric(String name) throws IOException {
        String line = client("Bob")
                .get("/metrics")
                .body()
                .lines()
                .filter(l -> l.startsWith(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    @Test
    void connectionsThatNeverSpeakTlsLeaveRoomForOthers() throws Exception {
        RawClient alice = client("Alice");
        for (int i = 0; i < 600; i++) {
            Socket socket = new Socket();
            hostile.add(socket);
            socket.bind(new InetSocketAddress(loopback(3), 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ce.port()));
            if (i % 100 == 0) {
                isServed(client("Bob"));
            }
        }
        isServed(alice);
        isServed(client("Bob"));
        // The deadline of a handshake ends the rest of them.
        await().atMost(Duration.ofMinutes(1))
                .until(() -> hostile.stream().allMatch(HostileClientsIT::isClosedByServer));
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
}
