package org.gelato.ce.ws.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.servlet.ServletConnection;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of sockets as Linux 6 writes them, on processors with the lowest byte first. */
class LocalPeersTest {
    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
    private static final int CE = 995;
    private static final int SERVER = 8443;

    @TempDir
    private Path tables;

    private final AtomicInteger connections = new AtomicInteger();

    @BeforeEach
    void lowestByteFirst() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the tables are of such a processor");
    }

    private LocalPeers peers(Integer... accounts) {
        return new LocalPeers(tables, CE, List.of(accounts), Duration.ofMinutes(5));
    }

    private static String text(String... sockets) {
        StringBuilder text = new StringBuilder(HEAD);
        for (int i = 0; i < sockets.length; i++) {
            text.append("%4d: %s\n".formatted(i, sockets[i]));
        }
        return text.toString();
    }

    private void table(String name, String... sockets) throws IOException {
        Files.writeString(tables.resolve(name), text(sockets));
    }

    private static String socket(String local, String remote, int uid, int inode) {
        return local + " " + remote + " 01 00000000:00000000 00:00000000 00000000  " + uid + "        0 " + inode
                + " 1 0000000000000000 20 4 30 10 -1";
    }

    private static HttpServletRequest request(String client, int port, String server, String connection) {
        ServletConnection known = (ServletConnection) Proxy.newProxyInstance(
                LocalPeersTest.class.getClassLoader(),
                new Class<?>[] {ServletConnection.class},
                (p, method, args) -> connection);
        return (HttpServletRequest) Proxy.newProxyInstance(
                LocalPeersTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (p, method, args) -> switch (method.getName()) {
                    case "getRemoteAddr" -> client;
                    case "getRemotePort" -> port;
                    case "getLocalAddr" -> server;
                    case "getLocalPort" -> SERVER;
                    case "getServletConnection" -> known;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    private static boolean trusts(LocalPeers peers, String client, int port, String server, String connection) {
        return peers.trusts(request(client, port, server, connection));
    }

    private boolean trusts(LocalPeers peers, String client, int port, String server) {
        return trusts(peers, client, port, server, "c" + connections.incrementAndGet());
    }

    @Test
    void rootTheCesAccountAndNamedOnesAreTrusted() throws IOException {
        // The server's own ends are of the CE's account, and are not the client's.
        table(
                "tcp",
                socket("0100007F:20FB", "0100007F:8AF2", CE, 10),
                socket("0100007F:8AF2", "0100007F:20FB", 1000, 11),
                socket("0100007F:8AF3", "0100007F:20FB", 0, 12),
                socket("0100007F:8AF4", "0100007F:20FB", CE, 13),
                socket("0100007F:8AF5", "0100007F:20FB", 114, 14),
                socket("0A0200C0:8AF6", "0A0200C0:20FB", 0, 15),
                socket("0100007F:8AF7", "0100007F:20FC", 0, 16),
                socket("0B0200C0:8AF6", "0A0200C0:20FB", 0, 17));
        LocalPeers peers = peers(114);

        assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1"))
                .as("another account")
                .isFalse();
        assertThat(trusts(peers, "127.0.0.1", 0x8AF3, "127.0.0.1")).as("root").isTrue();
        assertThat(trusts(peers, "127.0.0.1", 0x8AF4, "127.0.0.1")).as("the CE").isTrue();
        assertThat(trusts(peers, "127.0.0.1", 0x8AF5, "127.0.0.1")).as("named").isTrue();
        assertThat(trusts(peers, "192.0.2.10", 0x8AF6, "192.0.2.10"))
                .as("the host's address")
                .isTrue();
        assertThat(trusts(peers, "127.0.0.1", 0x8AF7, "127.0.0.1"))
                .as("of another server")
                .isFalse();
        assertThat(trusts(peers, "127.0.0.1", 0x8AF8, "127.0.0.1"))
                .as("unknown")
                .isFalse();
        assertThat(trusts(peers, "192.0.2.11", 0x8AF6, "192.0.2.10"))
                .as("elsewhere")
                .isFalse();
    }

    @Test
    void addressesOfBothVersionsAreFound() throws IOException {
        String one = "00000000000000000000000001000000";
        table(
                "tcp6",
                socket("0000000000000000FFFF00000100007F:8AF2", "0000000000000000FFFF00000100007F:20FB", 0, 10),
                socket(one + ":8AF3", one + ":20FB", 0, 11),
                socket(one + ":8AF4", one + ":20FB", 1000, 12));
        LocalPeers peers = peers();

        assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1")).isTrue();
        assertThat(trusts(peers, "0:0:0:0:0:0:0:1", 0x8AF3, "0:0:0:0:0:0:0:1")).isTrue();
        assertThat(trusts(peers, "0:0:0:0:0:0:0:1%lo", 0x8AF4, "0:0:0:0:0:0:0:1"))
                .isFalse();
    }

    /** The kernel shows it as root's. */
    @Test
    void aConnectionThatItsProgramHasClosedIsNobodys() throws IOException {
        table("tcp", socket("0100007F:8AF2", "0100007F:20FB", 0, 0));

        assertThat(trusts(peers(), "127.0.0.1", 0x8AF2, "127.0.0.1")).isFalse();
    }

    @Test
    void aConnectionIsLookedUpOnce() throws IOException {
        LocalPeers peers = peers();
        table("tcp", socket("0100007F:8AF2", "0100007F:20FB", 0, 10));
        assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1", "first")).isTrue();

        // The next one has the same ports.
        table("tcp", socket("0100007F:8AF2", "0100007F:20FB", 1000, 11));

        assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1", "first")).isTrue();
        assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1", "second")).isFalse();
    }

    /** The end of a pipe in place of a table: who has it open for writing has a reader. */
    private static OutputStream reading(ExecutorService threads, Path pipe) throws Exception {
        return threads.submit(() -> Files.newOutputStream(pipe)).get(5, TimeUnit.MINUTES);
    }

    @Test
    void whoComesDuringAReadingIsAnsweredByTheNextOneTogether() throws Exception {
        Path pipe = tables.resolve("tcp");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        String roots = text(socket("0100007F:8AF2", "0100007F:20FB", 0, 10));
        LocalPeers peers = peers();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Boolean>> trusted = new ArrayList<>();
            trusted.add(threads.submit(() -> trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1")));
            try (OutputStream first = reading(threads, pipe)) {
                for (int i = 0; i < 4; i++) {
                    CompletableFuture<Thread> waits = new CompletableFuture<>();
                    trusted.add(threads.submit(() -> {
                        waits.complete(Thread.currentThread());
                        return trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1");
                    }));
                    await().until(() -> waits.get().getState() == Thread.State.TIMED_WAITING);
                }
                first.write(roots.getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(trusted.get(0).get(5, TimeUnit.MINUTES)).isTrue();
            try (OutputStream second = reading(threads, pipe)) {
                // A third reading would find nobody.
                Files.move(Files.createFile(tables.resolve("none")), pipe, StandardCopyOption.REPLACE_EXISTING);
                second.write(roots.getBytes(StandardCharsets.US_ASCII));
            }
            for (Future<Boolean> one : trusted) {
                assertThat(one.get(5, TimeUnit.MINUTES)).isTrue();
            }
            assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1"))
                    .as("who comes later is looked up anew")
                    .isFalse();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whoWaitsTooLongForAReadingIsNotTrusted() throws Exception {
        Path pipe = tables.resolve("tcp");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        LocalPeers peers = new LocalPeers(tables, CE, List.of(), Duration.ZERO);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Boolean> first = threads.submit(() -> trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1", "known"));
            try (OutputStream table = reading(threads, pipe)) {
                assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1")).isFalse();
                table.write(
                        text(socket("0100007F:8AF2", "0100007F:20FB", 0, 10)).getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(first.get(5, TimeUnit.MINUTES)).isTrue();
            threads.submit(() -> trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1"));
            try (OutputStream held = reading(threads, pipe)) {
                assertThat(held).as("a reading under way").isNotNull();
                assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1", "known"))
                        .as("a known connection waits for no reading")
                        .isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void withoutTablesNobodyIsTrusted() throws IOException {
        LocalPeers peers = peers();
        assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1")).isFalse();
        Files.writeString(tables.resolve("tcp"), HEAD + "  0: 0100007F:8AF2 0100007F:20FB 01\n");
        assertThat(trusts(peers, "127.0.0.1", 0x8AF2, "127.0.0.1")).isFalse();
    }
}
