package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageLevel;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.server.CeServer;
import org.gelato.ce.ws.server.FakeServices;
import org.gelato.ce.ws.server.HttpConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /messages} and {@code /jobs} over a real connection. */
class MessagesServletTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpConfig HTTP = new HttpConfig(
            4, 100, 1, 1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(5), 2, 8, 100, Duration.ofSeconds(5));
    private static final String ALICE = "alice";
    private static final String OF_ALICE = "/jobs/CREAM000000001/messages";

    @TempDir
    private Path directory;

    private final FakeMessages feed = new FakeMessages();
    private final List<String> audited = new CopyOnWriteArrayList<>();
    private final FakeServices fake = new FakeServices();
    private final LiveMessages live = new LiveMessages(
            URI.create("https://ce:8443"),
            PerUserLimit.of(8, 4),
            feed,
            new MessageAccess(
                    feed,
                    identity -> identity.subject().equals("CN=watcher") ? Set.of("dteam") : Set.of(),
                    owner -> Optional.of(FakeMessages.vo(owner)),
                    audited::add),
            fake.callers(),
            new Followers.Bounds(Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofMinutes(10)));
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private CeServer server;

    @BeforeEach
    void start() {
        server = new CeServer(
                new CeServer.Settings("127.0.0.1", 0, HTTP, directory.resolve("tomcat"), c -> {}),
                List.of(
                        new HttpEndpoints(
                                new Readiness(List.of(), Clock.systemUTC()),
                                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                                new AsyncExchanges(
                                        MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime),
                                new MonitoringAccess(List.of(), fake.callers())),
                        live));
        server.start();
    }

    @AfterEach
    void stop() {
        live.close();
        server.close();
    }

    private HttpRequest.Builder request(String path, String caller) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("X-Caller", caller);
    }

    private HttpResponse<String> answer(String path, String caller) throws Exception {
        return client.send(request(path, caller).build(), BodyHandlers.ofString());
    }

    private JsonNode json(String path, String caller) throws Exception {
        HttpResponse<String> response = answer(path, caller);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static List<String> texts(JsonNode response) {
        return StreamSupport.stream(response.path("messages").spliterator(), false)
                .map(m -> m.path("text").asText())
                .toList();
    }

    /** Server-Sent Events as they come. */
    private final class Stream implements AutoCloseable {
        final List<String> events = new CopyOnWriteArrayList<>();
        final List<JsonNode> data = new CopyOnWriteArrayList<>();
        final int status;
        volatile String cursor;
        volatile boolean ended;
        private final InputStream body;

        Stream(String path, String caller) throws Exception {
            HttpResponse<InputStream> response = client.send(
                    request(path, caller).header("Accept", "text/event-stream").build(), BodyHandlers.ofInputStream());
            status = response.statusCode();
            body = response.body();
            Thread reader = new Thread(this::read, "reader");
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (var lines = new java.io.BufferedReader(new java.io.InputStreamReader(body, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("id: ")) {
                        cursor = line.substring(4);
                    } else if (line.startsWith("event: ")) {
                        events.add(line.substring(7));
                    } else if (line.startsWith("data: ")) {
                        data.add(JSON.readTree(line.substring(6)));
                    }
                }
                ended = true;
            } catch (java.io.IOException e) {
                ended = true;
            }
        }

        List<String> texts() {
            return data.stream()
                    .filter(d -> d.has("text"))
                    .map(d -> d.path("text").asText())
                    .toList();
        }

        @Override
        public void close() throws java.io.IOException {
            body.close();
        }
    }

    @Test
    void aPageHasWhatFollowsTheCursorAndHowTheJobStands() throws Exception {
        feed.add(FakeMessages.OF_ALICE, MessageLevel.INFO, "step", "one\ntwo");
        feed.add(FakeMessages.OF_BOB, MessageLevel.INFO, null, "of Bob");
        feed.add(FakeMessages.OF_ALICE, Message.Kind.STDOUT, MessageLevel.INFO, null, new byte[] {'a', (byte) 0xff});
        feed.add(
                FakeMessages.OF_ALICE,
                Message.Kind.NOTICE,
                MessageLevel.WARNING,
                null,
                "quota".getBytes(StandardCharsets.UTF_8));
        JsonNode page = json(OF_ALICE, ALICE);
        assertThat(page.path("messages")).hasSize(3);
        JsonNode message = page.at("/messages/0");
        assertThat(message.path("job").asText()).isEqualTo("https://ce:8443/CREAM000000001");
        assertThat(message.path("kind").asText()).isEqualTo("message");
        assertThat(message.path("number").asLong()).isEqualTo(11);
        assertThat(message.path("level").asText()).isEqualTo("info");
        assertThat(message.path("key").asText()).isEqualTo("step");
        assertThat(message.path("text").asText()).isEqualTo("one\ntwo");
        assertThat(message.path("sent").asText()).isEqualTo(FakeMessages.MADE.toString());
        JsonNode output = page.at("/messages/1");
        assertThat(output.path("kind").asText()).isEqualTo("stdout");
        assertThat(output.path("offset").asLong()).isEqualTo(13);
        assertThat(output.path("text").asText()).isEqualTo("a\ufffd");
        assertThat(output.path("base64").binaryValue()).isEqualTo(new byte[] {'a', (byte) 0xff});
        assertThat(page.at("/messages/2/kind").asText()).isEqualTo("notice");
        assertThat(page.path("state").asText()).isEqualTo("REALLY-RUNNING");
        assertThat(page.path("complete").asBoolean()).isFalse();
        String next = page.path("next").asText();
        assertThat(next).isEqualTo("1700000000000-4");
        assertThat(json(OF_ALICE + "?after=" + next, ALICE).path("messages")).isEmpty();
        feed.end(FakeMessages.OF_ALICE, "3");
        JsonNode end = json(OF_ALICE + "?after=1", ALICE);
        assertThat(texts(end)).hasSize(2);
        assertThat(end.path("exitCode").intValue()).isEqualTo(3);
        assertThat(end.path("complete").asBoolean()).isTrue();
    }

    @Test
    void pagesFollowEachOtherAndFiltersDoNotStopTheCursor() throws Exception {
        feed.add(FakeMessages.OF_BOB, 30);
        feed.add(FakeMessages.OF_ALICE, 2000);
        feed.add(FakeMessages.OF_ALICE, MessageLevel.ERROR, "last", "found");
        List<String> all = new ArrayList<>();
        String cursor = "0";
        JsonNode page;
        do {
            page = json("/messages?limit=700&after=" + cursor, ALICE);
            all.addAll(texts(page));
            cursor = page.path("next").asText();
        } while (page.path("more").asBoolean());
        assertThat(all).hasSize(2001).startsWith("31").endsWith("2030", "found");
        assertThat(cursor).isEqualTo("1700000000000-2031");
        JsonNode filtered = json("/messages?limit=1&level=error", ALICE);
        assertThat(texts(filtered)).containsExactly("found");
        JsonNode none = json("/messages?key=nothing*", ALICE);
        assertThat(texts(none)).isEmpty();
        assertThat(none.path("next").asText()).isEqualTo(cursor);
        assertThat(none.path("more").asBoolean()).isFalse();
    }

    /** Nothing that a client sends makes a request look over more: it goes on from where the page ended. */
    @Test
    void theLargestFilterThatTakesNothingCostsAFixedNumberOfReads() throws Exception {
        feed.add(FakeMessages.OF_ALICE, 6000);
        String keys = IntStream.range(0, 100)
                .mapToObj(i -> "&key=" + "%03d".formatted(i).concat("x".repeat(61)) + "*")
                .collect(Collectors.joining());
        int before = feed.reads.get();
        JsonNode page = json("/messages?limit=1000" + keys, ALICE);
        assertThat(feed.reads.get() - before).isEqualTo(20);
        assertThat(texts(page)).isEmpty();
        assertThat(page.path("next").asText()).isEqualTo("1700000000000-5000");
        assertThat(page.path("more").asBoolean()).isTrue();
    }

    @Test
    void largeRequestsAreRefusedBeforeAnythingIsRead() throws Exception {
        int reads = feed.reads.get();
        int standings = feed.standingReads.get();
        String jobs = IntStream.range(0, 370)
                .mapToObj(i -> "job=CREAM%09d".formatted(i))
                .collect(Collectors.joining("&"));
        for (String large : List.of(
                "?" + "key=a&".repeat(1200),
                "?key=" + "a".repeat(7000),
                // No UTF-8.
                "?key=" + "%C3%28".repeat(1000),
                "?" + jobs,
                "?after=" + "9".repeat(7000),
                "?level=" + "e".repeat(7000),
                "?scope=vo:" + "a".repeat(7000),
                "?" + "x=1&".repeat(1700))) {
            HttpResponse<String> response = answer("/messages" + large, ALICE);
            assertThat(response.statusCode()).as(large.substring(0, 20)).isIn(400, 403);
            assertThat(response.body()).as("of a refusal").hasSizeLessThan(300);
        }
        assertThat(feed.reads.get()).isEqualTo(reads);
        assertThat(feed.standingReads.get()).isEqualTo(standings);
    }

    @Test
    void keysLevelsAndOutputAreChosen() throws Exception {
        feed.add(FakeMessages.OF_ALICE, MessageLevel.DEBUG, "step1", "a");
        feed.add(FakeMessages.OF_ALICE, MessageLevel.WARNING, "step2", "b");
        feed.add(FakeMessages.OF_ALICE, MessageLevel.ERROR, "other", "c");
        feed.add(FakeMessages.OF_ALICE, MessageLevel.ERROR, null, "d");
        feed.add(FakeMessages.OF_ALICE, Message.Kind.STDERR, MessageLevel.INFO, null, new byte[] {'e'});
        feed.add(FakeMessages.OF_ALICE, Message.Kind.NOTICE, MessageLevel.WARNING, null, new byte[] {'f'});
        feed.add(FakeMessages.OF_ALICE, MessageLevel.INFO, "step1", "g");
        assertThat(texts(json(OF_ALICE + "?key=step*&output=false", ALICE))).containsExactly("a", "b", "f", "g");
        assertThat(texts(json(OF_ALICE + "?key=step2&key=other&output=false", ALICE)))
                .containsExactly("b", "c", "f");
        assertThat(texts(json(OF_ALICE + "?level=warning", ALICE))).containsExactly("b", "c", "d", "e", "f");
        assertThat(texts(json("/messages?job=CREAM000000001", ALICE))).doesNotContain("e");
        assertThat(texts(json("/messages?output=true&level=E", ALICE))).containsExactly("c", "d", "e", "f");
        assertThat(texts(json(OF_ALICE + "?latest=true", ALICE))).containsExactly("b", "c", "d", "g");
        assertThat(texts(json(OF_ALICE + "?latest=true&key=step1", ALICE))).containsExactly("g");
    }

    @ParameterizedTest
    @CsvSource({
        // Who, what, status
        "alice, /jobs/CREAM000000001/messages, 200",
        "bob, /jobs/CREAM000000001/messages, 404",
        "bob, /jobs/CREAM000000099/messages, 404",
        "bob, /messages?job=CREAM000000003&job=CREAM000000001, 404",
        "admin, /jobs/CREAM000000001/messages, 200",
        "watcher, /jobs/CREAM000000003/messages, 200",
        "watcher, /jobs/CREAM000000004/messages, 404",
        "watcher, /messages?scope=vo:dteam, 200",
        "watcher, /messages?scope=vo:atlas, 403",
        "watcher, /messages?scope=all, 403",
        "bob, /messages?scope=vo:dteam, 403",
        "admin, /messages?scope=vo:dteam, 200",
        "admin, /messages?scope=all, 200",
        "alice by compute.create, /messages, 403",
        "alice, /messages?scope=theirs, 400",
        "alice, /messages?scope=vo:, 400",
        "alice, /messages?scope=own&job=CREAM000000001, 400",
        "alice, /messages?job=42, 400",
        "alice, /messages?latest=true, 400",
        "alice, /messages?limit=0, 400",
        "alice, /messages?limit=1001, 400",
        "alice, /messages?after=x, 400",
        "alice, /messages?after=1&after=2, 400",
        "alice, /messages?level=loud, 400",
        "alice, /messages?output=maybe, 400",
        "alice, /messages?key=, 400",
        "alice, /messages?form=1, 400",
        "alice, /messages?after=1000-1, 410",
        "alice, /jobs/CREAM000000001, 404",
        "alice, /jobs/CREAM000000001/live-output, 405",
    })
    void everyoneGetsWhatIsTheirsAndAReasonOtherwise(String caller, String path, int status) throws Exception {
        feed.add(FakeMessages.OF_ALICE, 1);
        feed.add(FakeMessages.OF_BOB, 1);
        feed.add(FakeMessages.OF_CARL, 1);
        HttpResponse<String> response = answer(path, caller);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        if (status == 404 && path.contains("messages")) {
            assertThat(response.body()).contains("job not found: ");
        }
        if (path.endsWith("vo:dteam") && status == 200) {
            assertThat(texts(JSON.readTree(response.body()))).containsExactly("1", "2");
        }
    }

    @Test
    void readingOthersMessagesIsAudited() throws Exception {
        json("/messages", ALICE);
        json(OF_ALICE, ALICE);
        assertThat(audited).isEmpty();
        json("/messages?scope=all", "admin");
        json("/messages?scope=vo:dteam", "watcher");
        json("/messages?job=CREAM000000001&job=CREAM000000003", "watcher");
        assertThat(audited).hasSize(3);
        assertThat(audited.subList(0, 2)).containsExactly("messages of all users", "messages of VO dteam");
        assertThat(audited.get(2)).matches("messages of CREAM00000000[13] and 1 more jobs");
    }

    @Test
    void liveOutputIsAskedForOnceTheJobRunsAndByItsOwner() throws Exception {
        assertThat(post(FakeMessages.OF_ALICE + "", "bob")).isEqualTo(404);
        assertThat(feed.live).isEmpty();
        assertThat(post(FakeMessages.OF_ALICE + "", ALICE)).isEqualTo(204);
        assertThat(post(FakeMessages.OF_BOB + "", "watcher")).isEqualTo(204);
        assertThat(feed.live).containsExactlyInAnyOrder(FakeMessages.OF_ALICE, FakeMessages.OF_BOB);
        feed.end(FakeMessages.OF_ALICE, "0");
        assertThat(post(FakeMessages.OF_ALICE + "", ALICE)).isEqualTo(409);
    }

    private int post(String job, String caller) throws Exception {
        return client.send(
                        request("/jobs/" + job + "/live-output", caller)
                                .POST(BodyPublishers.ofString("key=x"))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void aStreamOfJobsEndsAfterTheLastOneWithAllThatWasStored() throws Exception {
        feed.add(FakeMessages.OF_ALICE, 300);
        feed.add(FakeMessages.OF_BOB, 5);
        try (Stream stream = new Stream("/messages?job=CREAM000000001&job=CREAM000000002", ALICE)) {
            await().until(() -> stream.texts().size() == 300);
            feed.end(FakeMessages.OF_ALICE, "0");
            await().until(() -> stream.events.contains("end"));
            feed.add(FakeMessages.ALSO_OF_ALICE, 200);
            feed.end(FakeMessages.ALSO_OF_ALICE, "7");
            await().until(() -> stream.ended);
            assertThat(stream.texts()).hasSize(500).doesNotHaveDuplicates();
            List<JsonNode> ends =
                    stream.data.stream().filter(d -> d.has("complete")).toList();
            assertThat(ends).hasSize(2);
            assertThat(ends.get(0).path("job").asText()).endsWith("/CREAM000000001");
            assertThat(ends.get(1).path("exitCode").intValue()).isEqualTo(7);
            assertThat(stream.data.get(stream.data.size() - 1)).isEqualTo(ends.get(1));
            await().until(() -> live.followers().size() == 0);
        }
    }

    @Test
    void aJobThatIsRemovedEndsItsStream() throws Exception {
        try (Stream stream = new Stream(OF_ALICE, ALICE)) {
            await().until(() -> stream.cursor != null);
            feed.standings.remove(FakeMessages.OF_ALICE);
            await().until(() -> stream.ended);
            assertThat(stream.data.get(0).path("removed").asBoolean()).isTrue();
        }
    }

    @Test
    void aStreamOfAnOwnerBeginsNowAndItsCursorPassesWhatIsOthers() throws Exception {
        feed.add(FakeMessages.OF_ALICE, 3);
        try (Stream own = new Stream("/messages", ALICE);
                Stream vo = new Stream("/messages?scope=vo:dteam&after=0", "watcher");
                Stream carl = new Stream("/messages?after=0", "carl")) {
            await().until(() -> own.cursor != null && vo.texts().size() == 3);
            feed.add(FakeMessages.OF_BOB, 2);
            feed.add(FakeMessages.OF_CARL, 1);
            feed.add(FakeMessages.OF_ALICE, 1);
            await().until(() -> vo.texts().size() == 6 && carl.texts().size() == 1);
            await().until(() -> own.texts().size() == 1);
            assertThat(own.texts()).containsExactly("7");
            assertThat(vo.texts()).containsExactly("1", "2", "3", "4", "5", "7");
            await("signs of life").until(() -> carl.cursor.endsWith("-7"));
            assertThat(carl.texts()).containsExactly("6");
        }
    }

    @Test
    void aLostConnectionGoesOnByLastEventId() throws Exception {
        feed.add(FakeMessages.OF_ALICE, 10);
        HttpRequest again = request(OF_ALICE + "?after=0", ALICE)
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", FakeMessages.MADE.toEpochMilli() + "-7")
                .build();
        feed.end(FakeMessages.OF_ALICE, "0");
        String text = client.send(again, BodyHandlers.ofString()).body();
        assertThat(text).contains("\"text\":\"8\"", "\"text\":\"10\"").doesNotContain("\"text\":\"7\"");
    }

    /** The rows of large output are read once, though they fill many pages. */
    @Test
    void followersOfTheSameJobShareTheirReads() throws Exception {
        try (Stream first = new Stream(OF_ALICE, ALICE);
                Stream second = new Stream(OF_ALICE + "?output=false", ALICE)) {
            await().until(() -> first.cursor != null && second.cursor != null);
            IntStream.range(0, 50)
                    .forEach(i -> feed.add(
                            FakeMessages.OF_BOB, Message.Kind.STDOUT, MessageLevel.INFO, null, new byte[8192]));
            int before = feed.reads.get();
            byte[] text = "x".repeat(8192).getBytes(StandardCharsets.US_ASCII);
            IntStream.range(0, 50)
                    .forEach(i -> feed.add(FakeMessages.OF_ALICE, Message.Kind.STDOUT, MessageLevel.INFO, null, text));
            feed.end(FakeMessages.OF_ALICE, "0");
            await().until(() -> first.ended && second.ended);
            assertThat(first.texts()).hasSize(50);
            assertThat(second.texts()).isEmpty();
            // The rows become visible while the followers read: a few reads, not one per page and follower.
            assertThat(feed.reads.get() - before).isLessThan(50 * 8192 / (32 << 10) * 2);
        }
    }

    @Test
    void oneWhoDoesNotReadIsCutAndPlacesAreBounded() throws Exception {
        byte[] text = "x".repeat(8192).getBytes(StandardCharsets.US_ASCII);
        try (Socket deaf = new Socket();
                Stream reader = new Stream(OF_ALICE, ALICE);
                Stream third = new Stream("/messages", ALICE);
                Stream fourth = new Stream("/messages", ALICE)) {
            deaf.setReceiveBufferSize(4096);
            deaf.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            deaf.getOutputStream()
                    .write(("GET " + OF_ALICE + " HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\n"
                                    + "Accept: text/event-stream\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> live.followers().size() == 4);
            try (Stream fifth = new Stream("/messages", ALICE)) {
                assertThat(fifth.status).isEqualTo(503);
            }
            IntStream.range(0, 1500)
                    .forEach(i -> feed.add(FakeMessages.OF_ALICE, Message.Kind.STDOUT, MessageLevel.INFO, null, text));
            await().atMost(Duration.ofMinutes(1)).until(() -> live.followers().cut() == 1);
            feed.end(FakeMessages.OF_ALICE, "0");
            await().atMost(Duration.ofMinutes(1)).until(() -> reader.ended);
            assertThat(reader.texts()).hasSize(1500);
            assertThat(third.status).isEqualTo(200);
            assertThat(fourth.ended).isFalse();
        }
    }
}
