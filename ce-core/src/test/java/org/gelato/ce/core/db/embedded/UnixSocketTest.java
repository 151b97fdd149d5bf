package org.gelato.ce.core.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the driver reaches the embedded server, with a server of the test at the other end. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UnixSocketTest {
    @TempDir
    private Path base;

    private Path directory;
    private Path path;
    private ServerSocketChannel server;

    @BeforeEach
    void listen() throws IOException {
        directory = Files.createDirectory(
                base.resolve("own"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        path = directory.resolve("s");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void bytesPassBothWaysWhateverTheirNumber() throws IOException {
        byte[] sent = new byte[3 << 20];
        new Random(1).nextBytes(sent);
        try (Socket client = UnixSocketFactory.open(path);
                SocketChannel peer = server.accept()) {
            CompletableFuture<byte[]> echo = CompletableFuture.supplyAsync(() -> {
                try {
                    ByteBuffer all = ByteBuffer.allocate(sent.length);
                    int count = 0;
                    while (all.hasRemaining() && count >= 0) {
                        count = peer.read(all);
                    }
                    peer.write(all.flip());
                    peer.shutdownOutput();
                    return all.array();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            client.getOutputStream().write(sent);
            byte[] header = client.getInputStream().readNBytes(5);
            assertThat(client.getInputStream().available()).isPositive();
            byte[] rest = client.getInputStream().readAllBytes();
            assertThat(echo.join()).isEqualTo(sent);
            assertThat(header).isEqualTo(Arrays.copyOf(sent, 5));
            assertThat(rest).isEqualTo(Arrays.copyOfRange(sent, 5, sent.length));
        }
    }

    @Test
    void aReadEndsAtItsTimeLimitAndTheConnectionGoesOn() throws IOException {
        try (Socket client = UnixSocketFactory.open(path);
                SocketChannel peer = server.accept()) {
            client.setSoTimeout(1);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            client.setSoTimeout(0);
            peer.write(ByteBuffer.wrap(new byte[] {7}));
            assertThat(client.getInputStream().read()).isEqualTo(7);
        }
    }

    /** A channel that blocks is closed by an interrupt, and a commit under way with it. */
    @Test
    void anInterruptEndsNeitherReadNorConnectionAndIsKept() throws Exception {
        try (Socket client = UnixSocketFactory.open(path);
                SocketChannel peer = server.accept()) {
            CompletableFuture<Boolean> kept = new CompletableFuture<>();
            Thread reader = new Thread(() -> {
                try {
                    int seven = client.getInputStream().read();
                    kept.complete(seven == 7 && Thread.currentThread().isInterrupted());
                } catch (IOException e) {
                    kept.completeExceptionally(e);
                }
            });
            reader.start();
            awaitRead(reader);
            reader.interrupt();
            Awaitility.await().until(() -> !reader.isInterrupted());
            peer.write(ByteBuffer.wrap(new byte[] {7}));
            assertThat(kept.get()).isTrue();
        }
    }

    @Test
    void closingItEndsAReadAndGivesItsDescriptorsBack() throws Exception {
        long before = descriptors();
        Socket client = UnixSocketFactory.open(path);
        server.accept().close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        client.close();
        assertThat(client.isClosed()).isTrue();
        assertThat(descriptors()).isEqualTo(before);

        Socket second = UnixSocketFactory.open(path);
        try (SocketChannel peer = server.accept()) {
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            Thread reader = new Thread(() -> {
                try {
                    end.complete(new AssertionError(second.getInputStream().read()));
                } catch (IOException e) {
                    end.complete(e);
                }
            });
            reader.start();
            awaitRead(reader);
            second.close();
            assertThat(end.get()).isInstanceOf(IOException.class);
            assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(descriptors()).isEqualTo(before);
    }

    private static void awaitRead(Thread reader) {
        Awaitility.await()
                .until(() -> Stream.of(reader.getStackTrace())
                        .anyMatch(call -> call.getMethodName().equals("select")));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void aPathOfAnyLengthIsReached() throws IOException {
        Path real = directory.toRealPath();
        int least = real.toString().length() + "/d/s".length();
        for (int length : new int[] {105, 106, 107, 108, 109, 200}) {
            Path deep = Files.createDirectory(
                    real.resolve("d".repeat(length - least + 1)),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            path = Files.move(path, deep.resolve("s"));
            assertThat(path.toString()).hasSize(length);
            UnixSocketFactory.open(path).close();
            server.accept().close();
        }
    }

    @Test
    void aDirectoryThatOthersMayEnterIsRefused() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx-----x"));
        assertThatThrownBy(() -> UnixSocketFactory.open(path))
                .isInstanceOf(UnixSocketFactory.Stranger.class)
                .hasMessageContaining("open to other accounts: chmod 700 " + directory.toRealPath());
    }

    /** Root serves any account's: as root this process is taken for one of nobody. */
    @Test
    void aDirectoryOfAnotherAccountIsRefused() throws IOException {
        boolean root = System.getProperty("user.name").equals("root");
        Path self = Files.createFile(base.resolve("self"));
        if (root) {
            give(self);
        }
        assertThatThrownBy(() -> UnixSocketFactory.open(root ? path : Path.of("/root/s"), self))
                .isInstanceOf(UnixSocketFactory.Stranger.class)
                .hasMessageContaining("belongs to account root");
    }

    private static void give(Path path) throws IOException {
        Files.setOwner(
                path, FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }

    /** As one that came to the socket's place before the server, with whatever password it takes. */
    @Test
    void aServerOfAnotherAccountThanTheDirectorysGetsNoByte() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("only root gives a directory away")
                .isEqualTo("root");
        give(directory);
        assertThatThrownBy(() -> UnixSocketFactory.open(path))
                .isInstanceOf(UnixSocketFactory.Stranger.class)
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("runs as account root, and not as nobody");
        try (SocketChannel peer = server.accept()) {
            assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }
}
