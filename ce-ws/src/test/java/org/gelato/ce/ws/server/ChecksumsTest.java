package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What checksums cost: reads of the files in memory are counted. */
class ChecksumsTest extends ServerFixture {
    private static final int MIB = 1 << 20;
    /** More than there are request threads, and one user's share of the places. */
    private static final int MANY = 12;

    private static final String INPUT = "/ce-cream/input/" + FakeServices.JOB + "/";
    private static final Path PARTS = FakeServices.ROOT.resolve("ISB.part");

    private final byte[] content = bytes(3 * MIB + 5);

    @BeforeEach
    void restart() {
        server.close();
        server = server(listeners(
                new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime),
                new TransferLimits(16, 4, 64 * MIB, 64 * MIB, 0, 9)));
        server.start();
    }

    private static byte[] bytes(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    private static String digest(byte[] content) throws Exception {
        return "sha-256=:"
                + Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-256").digest(content)) + ":";
    }

    private CompletableFuture<HttpResponse<Void>> head(String path) {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .method("HEAD", BodyPublishers.noBody())
                .headers("X-Caller", "alice", "Want-Repr-Digest", "sha-256=1")
                .build();
        return client.sendAsync(request, BodyHandlers.discarding());
    }

    private static String checksum(HttpResponse<?> response) {
        return response.headers().firstValue("Repr-Digest").orElse("none");
    }

    private HttpResponse<String> put(byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(INPUT + "big"))
                .PUT(BodyPublishers.ofByteArray(body))
                .header("X-Caller", "alice");
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> putRest(int from, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Range", "bytes " + from + "-" + (content.length - 1) + "/" + content.length));
        return put(Arrays.copyOfRange(content, from, content.length), all.toArray(String[]::new));
    }

    @Test
    void oneComputationServesAllWhoWaitForOneVersionAndNoRequestThreadWaits() throws Exception {
        fake.files.put("big", content);
        CountDownLatch release = new CountDownLatch(1);
        fake.beforePart = () -> awaiting(release);
        List<CompletableFuture<HttpResponse<Void>>> heads = new ArrayList<>();
        for (int i = 0; i < MANY + 1; i++) {
            heads.add(head(OUTPUT + "big"));
        }
        try {
            // All are there: one has found no place.
            await().until(() -> heads.stream().anyMatch(CompletableFuture::isDone));
            assertThat(get("/health/live").statusCode()).isEqualTo(200);
        } finally {
            release.countDown();
        }
        heads.removeIf(head -> head.join().statusCode() == 503);
        assertThat(heads).hasSize(MANY);
        for (CompletableFuture<HttpResponse<Void>> head : heads) {
            assertThat(head.get().statusCode()).isEqualTo(200);
            assertThat(checksum(head.get())).isEqualTo(digest(content));
            assertThat(head.get().headers().firstValueAsLong("Content-Length")).hasValue(content.length);
        }
        assertThat(checksum(head(OUTPUT + "big").get())).isEqualTo(digest(content));
        assertThat(fake.parts).hasSize(4);
    }

    @Test
    void aComputationEndsWithTheLastWhoWaitsAndTheNextGoesOnWithIt() throws Exception {
        fake.files.put("big", content);
        fake.files.put("other", bytes(MIB));
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        fake.beforePart = () -> {
            begun.countDown();
            awaiting(release);
        };
        CompletableFuture<HttpResponse<Void>> stays = head(OUTPUT + "other");
        begun.await();
        List<Socket> gone = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            gone.add(socket);
            socket.getOutputStream()
                    .write(("HEAD " + OUTPUT
                                    + "big HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nWant-Repr-Digest: sha-256=9\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
        }
        // All are there: one has found no place.
        await().until(() -> isAnyAnswered(gone));
        for (Socket socket : gone) {
            socket.close();
        }
        // They are seen to go, and not only found to have waited for long enough.
        await().until(() -> get(OUTPUT, "X-Caller", "alice").statusCode() == 200);
        assertThat(stays).isNotDone();
        release.countDown();
        assertThat(checksum(stays.get())).isEqualTo(digest(bytes(MIB)));
        assertThat(fake.parts).as("nothing of the other file").hasSize(1);
        assertThat(checksum(head(OUTPUT + "big").get())).isEqualTo(digest(content));
        assertThat(fake.parts).hasSize(5);
    }

    private static boolean isAnyAnswered(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            if (socket.getInputStream().available() > 0) {
                return true;
            }
        }
        return false;
    }

    @Test
    void whatWasUploadedOrDownloadedWholeIsNotReadForItsChecksum() throws Exception {
        assertThat(put(content).statusCode()).isEqualTo(201);
        assertThat(checksum(head(INPUT + "big").get())).isEqualTo(digest(content));
        assertThat(fake.parts).isEmpty();

        fake.files.put("result", content);
        HttpResponse<byte[]> whole = bytes(OUTPUT + "result", "X-Caller", "alice", "Want-Repr-Digest", "sha-256=1");
        assertThat(whole.body()).isEqualTo(content);
        assertThat(checksum(whole)).isEqualTo("none");
        assertThat(checksum(head(OUTPUT + "result").get())).isEqualTo(digest(content));
        assertThat(checksum(bytes(OUTPUT + "result", "X-Caller", "alice", "Want-Repr-Digest", "sha-256=1")))
                .isEqualTo(digest(content));
        assertThat(fake.parts).hasSize(8);
    }

    @Test
    void anUploadOfSeveralRequestsIsVerifiedWithoutReadingItAgain() throws Exception {
        breakOff();
        assertThat(putRest(2 * MIB, "Repr-Digest", digest(content)).statusCode())
                .isEqualTo(201);
        assertThat(checksum(head(INPUT + "big").get())).isEqualTo(digest(content));
        assertThat(fake.parts).isEmpty();
    }

    /** The CE was started anew in between, so that it has to read what came before. */
    @Test
    void theEndOfAnUploadWaitsForItsChecksumWithoutAThread() throws Exception {
        breakOff();
        restart();
        CountDownLatch release = new CountDownLatch(1);
        fake.beforePart = () -> awaiting(release);
        CompletableFuture<HttpResponse<String>> end = CompletableFuture.supplyAsync(() -> {
            try {
                return putRest(2 * MIB, "Repr-Digest", digest(content));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        await().until(() -> fake.others.get(PARTS.resolve("big")).length == content.length);
        assertThat(end).isNotDone();
        release.countDown();
        assertThat(end.get().statusCode()).as(end.get().body()).isEqualTo(201);
        assertThat(fake.parts).hasSize(4);
        assertThat(checksum(head(INPUT + "big").get())).isEqualTo(digest(content));
        assertThat(fake.parts).hasSize(4);

        breakOff();
        restart();
        HttpResponse<String> wrong = putRest(2 * MIB, "Repr-Digest", digest(bytes(7)));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("nothing is kept").contains(digest(content));
        assertThat(fake.others)
                .as("what was complete before stays")
                .containsOnlyKeys(PARTS.resolveSibling("ISB").resolve("big"));
    }

    private void breakOff() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("PUT " + INPUT + "big HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nContent-Length: "
                            + content.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(content, 0, 2 * MIB);
            out.flush();
            await().until(() -> fake.others.getOrDefault(PARTS.resolve("big"), new byte[0]).length == 2 * MIB);
        }
        // Its writer has gone.
        await().until(() -> putRest(1).statusCode() == 409);
    }

    private static void awaiting(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
