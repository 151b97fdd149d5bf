package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files on their way up, over files in memory. */
class JobInputTest extends ServerFixture {
    private static final String INPUT = "/ce-cream/input/" + FakeServices.JOB + "/";
    private static final Path ISB = FakeServices.ROOT.resolve("ISB");
    private static final Path PARTS = FakeServices.ROOT.resolve("ISB.part");
    private static final String[] ALICE = {"X-Caller", "alice"};
    private static final String[] WRAPPER = {"Authorization", "Bearer " + FakeServices.GOOD_TOKEN};

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

    private HttpResponse<String> send(String method, String path, byte[] body, String[] who, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .headers(who);
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> put(String name, byte[] body, String... headers) throws Exception {
        return send("PUT", INPUT + name, body, ALICE, headers);
    }

    @Test
    void aWholeFileAppearsWithItsChecksumVerified() throws Exception {
        byte[] content = bytes((5 << 19) + 3);
        HttpResponse<String> response = put("data.bin", content, "Repr-Digest", digest(content));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        assertThat(fake.others).containsOnlyKeys(ISB.resolve("data.bin"));
        assertThat(fake.others.get(ISB.resolve("data.bin"))).isEqualTo(content);
        HttpResponse<String> head = send("HEAD", INPUT + "data.bin", null, ALICE, "Want-Repr-Digest", "sha-256=5");
        assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(content.length);
        assertThat(head.headers().firstValue("Upload-Complete")).contains("?1");
        assertThat(head.headers().firstValue("Repr-Digest")).contains(digest(content));
        assertThat(get(INPUT, WRAPPER).body()).contains("\"name\":\"data.bin\"");
        assertThat(bytes(INPUT + "data.bin", WRAPPER).body()).isEqualTo(content);
        assertThat(put("data.bin", new byte[0]).statusCode()).isEqualTo(201);
        assertThat(fake.others.get(ISB.resolve("data.bin"))).isEmpty();
    }

    @Test
    void aWrongChecksumKeepsNothing() throws Exception {
        byte[] content = bytes(100);
        for (String[] header : new String[][] {
            {"Repr-Digest", digest(bytes(99))},
            {"Content-Digest", digest(bytes(99))},
            {"Digest", digest(bytes(99)).replace(":", "")}
        }) {
            HttpResponse<String> response = put("x", content, header);
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains("nothing is kept").contains(digest(content));
        }
        assertThat(put("x", content, "Repr-Digest", "sha-256=nonsense").statusCode())
                .isEqualTo(400);
        assertThat(fake.others).isEmpty();
        assertThat(put("x", content, "Repr-Digest", "md5=:AAAA:").statusCode()).isEqualTo(201);
    }

    @Test
    void aCompleteFileStaysUntilTheNextIsComplete() throws Exception {
        byte[] content = bytes(3 << 20);
        assertThat(put("x", content).statusCode()).isEqualTo(201);
        HttpResponse<String> wrong = put("x", bytes(100), "Repr-Digest", digest(content));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(fake.others).containsOnlyKeys(ISB.resolve("x"));
        assertThat(fake.others.get(ISB.resolve("x"))).isEqualTo(content);
        String all = "bytes */" + content.length;
        assertThat(put("x", null, "Content-Range", all, "Repr-Digest", digest(content))
                        .statusCode())
                .isEqualTo(201);
        HttpResponse<String> other = put("x", null, "Content-Range", all, "Repr-Digest", digest(bytes(99)));
        assertThat(other.statusCode()).isEqualTo(400);
        assertThat(other.body()).contains("the file that is there, which stays").contains(digest(content));
        assertThat(fake.others.get(ISB.resolve("x"))).isEqualTo(content);
        assertThat(put("x", bytes(4 << 20), "Content-Range", "bytes 0-4194303/4194305")
                        .statusCode())
                .as("not more than the quota without the old one")
                .isEqualTo(413);
        assertThat(put("x", bytes(4 << 20)).statusCode()).isEqualTo(201);
        assertThat(fake.others.get(ISB.resolve("x"))).hasSize(4 << 20);
    }

    @Test
    void anInterruptedFileIsGoneOnWith() throws Exception {
        byte[] content = bytes(3 << 20);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("PUT " + INPUT + "big HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nContent-Length: "
                            + content.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(content, 0, (1 << 20) + 77);
            out.flush();
            Awaitility.await().until(() -> fake.others.containsKey(PARTS.resolve("big")));
        }
        Awaitility.await().until(() -> fake.others.get(PARTS.resolve("big")).length == (1 << 20) + 77);
        HttpResponse<String> head = send("HEAD", INPUT + "big", null, ALICE);
        long present = head.headers().firstValueAsLong("Content-Length").orElseThrow();
        assertThat(present).isEqualTo((1 << 20) + 77);
        assertThat(head.headers().firstValue("Upload-Complete")).contains("?0");
        assertThat(get(INPUT + "big", ALICE).statusCode()).isEqualTo(404);

        HttpResponse<String> gap = put("big", new byte[1], "Content-Range", "bytes 5-5/" + content.length);
        assertThat(gap.statusCode()).isEqualTo(409);
        assertThat(json(gap).path("size").asLong()).isEqualTo(present);

        byte[] some = Arrays.copyOfRange(content, (int) present, (int) present + 10);
        String range = "bytes " + present + "-" + (present + 9) + "/" + content.length;
        assertThat(Awaitility.await()
                        .until(() -> put("big", some, "Content-Range", range).statusCode(), s -> s != 423))
                .isEqualTo(202);
        byte[] rest = Arrays.copyOfRange(content, (int) present + 10, content.length);
        HttpResponse<String> end = put(
                "big",
                rest,
                "Content-Range",
                "bytes " + (present + 10) + "-" + (content.length - 1) + "/" + content.length,
                "Repr-Digest",
                digest(content),
                "Content-Digest",
                digest(rest));
        assertThat(end.statusCode()).as(end.body()).isEqualTo(201);
        assertThat(fake.others).containsOnlyKeys(ISB.resolve("big"));
        assertThat(fake.others.get(ISB.resolve("big"))).isEqualTo(content);
        assertThat(put("big", null, "Content-Range", "bytes */" + content.length)
                        .statusCode())
                .isEqualTo(201);
    }

    @Test
    void theTokenOfAJobThatHasEndedOpensNothing() throws Exception {
        assertThat(put("f", bytes(10)).statusCode()).isEqualTo(201);
        assertThat(get(INPUT + "f", WRAPPER).statusCode()).isEqualTo(200);
        fake.state = JobState.DONE_OK;
        for (String path : List.of(INPUT, INPUT + "f", INPUT.replace("input", "output"))) {
            assertThat(get(path, WRAPPER).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(get(INPUT + "f", ALICE).statusCode()).isEqualTo(200);
    }

    @Test
    void anUploadThatIsTooSlowGivesItsPlaceBackAndKeepsWhatCame() throws Exception {
        AsyncExchanges impatient = new AsyncExchanges(
                MemoryBudget.ofHeap(1 << 20), new MinimumRate.Slowest(Duration.ZERO, 1L << 60), System::nanoTime);
        try (CeServer other = server(listeners(impatient, LIMITS))) {
            other.start();
            for (int i = 0; i < 5; i++) {
                HttpResponse<String> response = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + other.port() + INPUT + "slow" + i % 2))
                                .PUT(BodyPublishers.ofByteArray(bytes(100)))
                                .headers(ALICE)
                                .build(),
                        BodyHandlers.ofString());
                assertThat(response.statusCode()).as(response.body()).isEqualTo(408);
                assertThat(response.body()).contains("bytes per second");
            }
        }
        assertThat(fake.others).doesNotContainKey(ISB.resolve("slow0"));
    }

    @Test
    void quotasAreReportedWithLimitAndValue() throws Exception {
        assertThat(put("a", bytes(3 << 20)).statusCode()).isEqualTo(201);
        HttpResponse<String> large = put("b", bytes(2 << 20));
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(large.body()).contains(Integer.toString(5 << 20)).contains(Integer.toString(4 << 20));
        assertThat(put("a", bytes(4 << 20)).statusCode()).as("replaced").isEqualTo(201);
        assertThat(put("a", bytes(10)).statusCode()).isEqualTo(201);
        assertThat(put("b", bytes(10)).statusCode()).isEqualTo(201);
        assertThat(put("c", bytes(10)).statusCode()).isEqualTo(201);
        HttpResponse<String> many = put("d", bytes(10));
        assertThat(many.statusCode()).isEqualTo(413);
        assertThat(many.body()).contains("3 files, at most 3");
        assertThat(send("DELETE", INPUT + "c", null, ALICE).statusCode()).isEqualTo(204);
        assertThat(put("d", bytes(10)).statusCode()).isEqualTo(201);
    }

    @Test
    void aBodyWithoutLengthIsStoppedAtTheQuota() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(INPUT + "endless"))
                .headers(ALICE)
                .PUT(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(bytes(5 << 20))))
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
        assertThat(fake.others).isEmpty();
    }

    @Test
    void aFullDiskIs507() throws Exception {
        fake.room = 10;
        assertThat(put("a", bytes(11)).statusCode()).isEqualTo(507);
        fake.room = 2 << 20;
        assertThat(put("a", bytes(3 << 20)).statusCode()).isEqualTo(507);
        assertThat(fake.others).as("nothing is in the way of others").isEmpty();
        fake.room = 11;
        assertThat(put("a", bytes(11)).statusCode()).isEqualTo(201);
    }

    @Test
    void onlyTheOwnerBringsInputAndOnlyBeforeTheStart() throws Exception {
        assertThat(send("PUT", INPUT + "x", bytes(1), new String[] {"X-Caller", "bob"})
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("PUT", INPUT + "x", bytes(1), new String[] {"X-Caller", "admin"})
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("PUT", INPUT + "x", bytes(1), WRAPPER).statusCode()).isEqualTo(403);
        assertThat(put("x", bytes(1)).statusCode()).isEqualTo(201);
        fake.state = JobState.PENDING;
        HttpResponse<String> late = put("y", bytes(1));
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body()).contains("PENDING");
        assertThat(send("DELETE", INPUT + "x", null, ALICE).statusCode()).isEqualTo(409);
        assertThat(fake.others).containsOnlyKeys(ISB.resolve("x"));
    }

    /** The request before brought the last file that the job waited for, while this one waited for the file. */
    @Test
    void aRequestThatBeganAsItsJobStartedRemovesNothing() throws Exception {
        assertThat(put("last", bytes(3)).statusCode()).isEqualTo(201);
        fake.afterLookUp = () -> fake.state = JobState.PENDING;
        assertThat(put("last", bytes(5)).statusCode()).isEqualTo(409);
        assertThat(fake.others.get(ISB.resolve("last"))).isEqualTo(bytes(3));
        fake.state = JobState.REGISTERED;
        assertThat(send("DELETE", INPUT + "last", null, ALICE).statusCode()).isEqualTo(409);
        assertThat(fake.others).containsOnlyKeys(ISB.resolve("last"));
    }

    @Test
    void onlyTheWrapperBringsOutputAndOnlyBeforeTheEnd() throws Exception {
        fake.state = JobState.REALLY_RUNNING;
        assertThat(send("PUT", OUTPUT + "o", bytes(5), ALICE).statusCode()).isEqualTo(403);
        assertThat(send("PUT", OUTPUT + "o", bytes(5), new String[] {"Authorization", "Bearer wrong"})
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("PUT", OUTPUT + "o", bytes(2001), WRAPPER).statusCode()).isEqualTo(413);
        assertThat(send("PUT", OUTPUT + "o", bytes(5), WRAPPER).statusCode()).isEqualTo(201);
        assertThat(bytes(OUTPUT + "o", ALICE).body()).isEqualTo(bytes(5));
        fake.state = JobState.DONE_OK;
        assertThat(send("PUT", OUTPUT + "p", bytes(5), WRAPPER).statusCode()).isEqualTo(409);
    }

    @Test
    void theProxyIsForTheWrapperOfALivingJob() throws Exception {
        fake.others.put(FakeServices.ROOT.resolve("proxy"), "secret".getBytes(StandardCharsets.US_ASCII));
        String path = "/ce-cream/proxy/" + FakeServices.JOB;
        HttpResponse<String> response = get(path, WRAPPER);
        assertThat(response.body()).isEqualTo("secret");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(get(path, ALICE).statusCode()).isEqualTo(403);
        assertThat(get(path, "Authorization", "Bearer x").statusCode()).isEqualTo(403);
        assertThat(send("HEAD", path, null, WRAPPER).statusCode()).isEqualTo(405);
        fake.state = JobState.CANCELLED;
        assertThat(get(path, WRAPPER).statusCode()).isEqualTo(409);
    }

    @Test
    void aRangeCountsForTheVersionTheClientHas() throws Exception {
        put("f", "0123456789".getBytes(StandardCharsets.US_ASCII));
        HttpResponse<String> whole = get(INPUT + "f", ALICE);
        String tag = whole.headers().firstValue("ETag").orElseThrow();
        assertThat(get(INPUT + "f", "X-Caller", "alice", "Range", "bytes=4-", "If-Range", tag)
                        .body())
                .isEqualTo("456789");
        HttpResponse<String> changed = get(INPUT + "f", "X-Caller", "alice", "Range", "bytes=4-", "If-Range", "\"x\"");
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(changed.body()).isEqualTo("0123456789");
        assertThat(get(INPUT + "f", "X-Caller", "alice", "Want-Repr-Digest", "sha-256=1")
                        .headers()
                        .firstValue("Repr-Digest"))
                .contains(digest("0123456789".getBytes(StandardCharsets.US_ASCII)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".gelato-tmp.1",
                "a%2fb",
                "a%5cb",
                "a%00b",
                "a%0ab",
                "a;b",
                "%2e%2e",
                "..",
                "a/.gelato-tmp.1",
                "%ff",
                "%c3%28",
                ""
            })
    void namesThatMeanSomethingElseAreRefused(String name) throws Exception {
        String response = raw("PUT " + INPUT + name
                + " HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx");
        assertThat(response).matches("(?s)HTTP/1.1 40[0345] .*");
        assertThat(fake.others).isEmpty();
    }

    @Test
    void namesAreDecodedOnceAndAsLongAsAFileSystemTakes() throws Exception {
        for (String name : List.of("a%20b", "q%27u%22o$(x)", "%2541", "a%3Bb", "..%3Bb", "x".repeat(255))) {
            assertThat(put(name, bytes(1)).statusCode()).as(name).isEqualTo(201);
            assertThat(send("DELETE", INPUT + name, null, ALICE).statusCode()).isEqualTo(204);
        }
        HttpResponse<String> longer = put("x".repeat(256), bytes(1));
        assertThat(longer.statusCode()).isEqualTo(400);
        assertThat(longer.body()).contains("256 bytes, at most 255");
    }

    /** Three uploads of one user are half done: no fourth begins, whichever job it is for, but another's does. */
    @Test
    void uploadsOfOnePersonLeaveAPlaceToOthersWhateverTheFqan() throws Exception {
        TransferLimits four = new TransferLimits(1, 4, 16 << 20, 2000, 0, 9);
        server.close();
        server = server(listeners(
                new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime), four));
        server.start();
        List<Socket> held = new ArrayList<>();
        try {
            for (String file :
                    List.of(FakeServices.JOB + "/a", FakeServices.JOB + "/b", FakeServices.OTHER_JOB + "/c")) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                held.add(socket);
                int before = fake.others.size();
                socket.getOutputStream()
                        .write(("PUT /ce-cream/input/" + file
                                        + " HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nContent-Length: 3000000\r\n\r\n"
                                        + "x".repeat(2 << 20))
                                .getBytes(StandardCharsets.US_ASCII));
                Awaitility.await().until(() -> fake.others.size() > before);
            }
            for (String job : List.of(FakeServices.JOB, FakeServices.OTHER_JOB)) {
                HttpResponse<String> refused = send("PUT", "/ce-cream/input/" + job + "/d", bytes(3), ALICE);
                assertThat(refused.statusCode()).as(job).isEqualTo(503);
                assertThat(refused.headers().firstValue("Retry-After")).contains("1");
                assertThat(refused.body()).contains("transfers of this user's jobs at once, at most 3");
            }
            String[] bob = {"X-Caller", "bob"};
            assertThat(send("PUT", "/ce-cream/input/" + FakeServices.JOB_OF_BOB + "/e", bytes(3), bob)
                            .statusCode())
                    .isEqualTo(201);
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void secondWriterOfAFileIsLockedOut() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("PUT " + INPUT
                                    + "f HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nContent-Length: 3000000\r\n\r\n"
                                    + "x".repeat(2 << 20))
                            .getBytes(StandardCharsets.US_ASCII));
            Awaitility.await().until(() -> fake.others.containsKey(PARTS.resolve("f")));
            assertThat(put("f", bytes(3)).statusCode()).isEqualTo(423);
            assertThat(put("g", bytes(3)).statusCode()).isEqualTo(201);
        }
        assertThat(Awaitility.await().until(() -> put("f", bytes(3)).statusCode(), s -> s != 423))
                .isEqualTo(201);
    }
}
