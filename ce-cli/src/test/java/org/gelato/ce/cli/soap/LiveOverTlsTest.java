package org.gelato.ce.cli.soap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.ProtocolConnector;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ce follow} and {@code ce messages} against a server that breaks connections, restarts and refuses. */
class LiveOverTlsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String JOB = "CREAM000000001";
    private static final String OTHER = "CREAM000000002";
    private static final String LAST = "7-900";

    @TempDir
    Path temp;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    /** Bodies of connections that follow, one after the other; a number is a status. */
    private final Deque<Object> streams = new ArrayDeque<>();

    private final Deque<String> pages = new ArrayDeque<>();
    private final Map<String, Integer> jobs = new HashMap<>(Map.of(JOB, 204, OTHER, 204));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestGrid grid;
    private HttpsServer server;

    @BeforeEach
    void start() throws Exception {
        grid = new TestGrid(temp.resolve("grid"), "Our CA");
        server = LocalHttps.of(grid, this::serve);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        requests.add(path);
        boolean live =
                String.valueOf(exchange.getRequestHeaders().getFirst("Accept")).contains("event-stream");
        if (path.startsWith("/jobs/") && path.endsWith("/live-output")) {
            String job = path.split("/")[2];
            error(exchange, jobs.getOrDefault(job, 404), "job not found: " + job);
        } else if (live) {
            Object next = streams.isEmpty() ? (Object) 404 : streams.remove();
            if (next instanceof Integer status) {
                error(exchange, status, status == 404 ? "job not found: " + JOB : "refused");
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=UTF-8");
            byte[] bytes = ((String) next).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        } else if (pages.isEmpty()) {
            error(exchange, path.contains("job=" + OTHER) ? 200 : 404, "job not found: " + JOB);
        } else {
            answer(exchange, 200, pages.remove());
        }
    }

    private static void error(HttpExchange exchange, int status, String text) throws IOException {
        if (status == 204) {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        } else if (status == 200) {
            answer(exchange, 200, "{\"messages\":[],\"next\":\"0\"}");
        } else {
            if (status == 404) {
                exchange.getResponseHeaders().set("Gelato-Fault", "JOB_UNKNOWN");
            }
            answer(exchange, status, "{\"status\":" + status + ",\"error\":\"" + text + "\"}");
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private int ce(String... args) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("X509_CERT_DIR", grid.certificates.toString());
        environment.put("BEARER_TOKEN", "secret.of.mine");
        environment.put("CE_ENDPOINT", "localhost:" + server.getAddress().getPort());
        return Main.run(
                new CliContext(
                        new StandardStreams(
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8),
                                InputStream.nullInputStream(),
                                false),
                        environment,
                        temp,
                        Clock.systemUTC(),
                        pauses::add,
                        new ProtocolConnector()),
                args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static String greeting(String cursor) {
        return "retry: 2000\nid: " + cursor + "\n: connected\n\n";
    }

    private static String object(int id, String job, String kind, String more) {
        return "{\"cursor\":\"7-" + id + "\",\"job\":\"https://ce:8443/" + job + "\",\"kind\":\"" + kind
                + "\",\"sent\":\"2026-11-25T12:00:00Z\",\"received\":\"2026-11-25T12:00:01Z\"," + more + "}";
    }

    private static String message(int id, String job, String text) {
        return "id: 7-" + id + "\nevent: message\ndata: "
                + object(id, job, "message", "\"number\":1,\"level\":\"info\",\"text\":\"" + text + "\"") + "\n\n";
    }

    private static String stdout(int id, String job, long offset, String text) {
        return "id: 7-" + id + "\nevent: stdout\ndata: "
                + object(id, job, "stdout", "\"offset\":" + offset + ",\"text\":\"" + text + "\"") + "\n\n";
    }

    private static String end(String job, String state, String exitCode) {
        return "event: end\ndata: {\"job\":\"https://ce:8443/" + job + "\",\"state\":\"" + state + "\",\"exitCode\":\""
                + exitCode + "\",\"complete\":true}\n\n";
    }

    private List<String> followed() {
        return requests.stream().filter(r -> r.startsWith("/messages?after")).toList();
    }

    @Test
    void aLostConnectionGoesOnAfterTheLastThingThatCameWhole() {
        String half = message(12, JOB, "three");
        streams.add(greeting("7-0")
                + message(10, JOB, "one")
                + stdout(11, JOB, 0, "two\\n")
                + half.substring(0, half.length() - 1));
        streams.add(503);
        streams.add(greeting("7-11") + "id: 7-500\n: alive\n\n");
        streams.add(greeting("7-500") + message(501, JOB, "four") + end(JOB, "DONE-OK", "0"));
        assertThat(ce("follow", JOB)).as(err()).isZero();
        assertThat(out()).isEqualTo("2026-11-25T12:00:00Z INFO one\n| two\n2026-11-25T12:00:00Z INFO four\n");
        assertThat(followed())
                .containsExactly(
                        "/messages?after=0&job=" + JOB + "&output=true",
                        "/messages?after=7-11&job=" + JOB + "&output=true",
                        "/messages?after=7-11&job=" + JOB + "&output=true",
                        "/messages?after=7-500&job=" + JOB + "&output=true");
        assertThat(err()).contains("refused; trying again in 2 s").endsWith(JOB + " DONE-OK exit=0\n");
        assertThat(pauses).hasSize(2);
    }

    @Test
    void severalJobsHaveAPrefixAndOneThatFailsFailsTheCommand() {
        streams.add(
                greeting("7-0") + stdout(1, JOB, 0, "a\\n") + end(JOB, "DONE-OK", "0") + stdout(2, OTHER, 100, "b"));
        // The end of the first is repeated, as each connection does.
        streams.add(greeting("7-2") + end(JOB, "DONE-OK", "0") + end(OTHER, "DONE-OK", "1"));
        assertThat(ce("follow", JOB, OTHER)).isEqualTo(1);
        assertThat(out()).isEqualTo(JOB + " | a\n" + OTHER + " | b\n");
        assertThat(err().lines())
                .containsExactly(
                        "ce follow: " + JOB + " DONE-OK exit=0",
                        OTHER + " [CE] 100 bytes of stdout were cut here; the job's own file has them",
                        "ce follow: " + OTHER + " DONE-OK exit=1");
    }

    @Test
    void aJobThatIsUnknownIsReportedAndTheOthersAreFollowed() {
        jobs.remove(JOB);
        streams.add(greeting("7-0") + end(OTHER, "CANCELLED", "N"));
        assertThat(ce("follow", JOB, OTHER)).isEqualTo(1);
        assertThat(err()).contains("job not found: " + JOB, "ce list shows your jobs");
        assertThat(followed()).containsExactly("/messages?after=0&job=" + OTHER + "&output=true");
    }

    @Test
    void aJobThatIsPurgedWhileTheConnectionIsLostDoesNotEndTheOthers() {
        streams.add(greeting("7-0") + message(1, OTHER, "one"));
        streams.add(404);
        streams.add(greeting("7-1") + message(2, OTHER, "two") + end(OTHER, "DONE-OK", "0"));
        assertThat(ce("follow", "--json", JOB, OTHER)).isEqualTo(1);
        assertThat(out().lines()).hasSize(3).last().asString().contains("\"kind\":\"end\"", "\"exitCode\":0");
        assertThat(followed().get(followed().size() - 1))
                .isEqualTo("/messages?after=7-1&job=" + OTHER + "&output=true");
    }

    @Test
    void withoutOutputNothingIsAskedOfTheJob() {
        jobs.put(JOB, 500);
        pages.add("{\"messages\":[],\"next\":\"7-0\",\"more\":false}");
        streams.add(greeting("7-0") + message(1, JOB, "a") + end(JOB, "DONE-OK", "0"));
        assertThat(ce("follow", "--no-output", "--key", "a b*", "--level", "warning", JOB))
                .isZero();
        assertThat(requests).noneMatch(r -> r.contains("live-output"));
        assertThat(followed().get(1))
                .isEqualTo("/messages?after=0&job=" + JOB + "&key=a+b*&level=warning&output=false");
    }

    @Test
    void anotherDatabaseBeginsAnew() {
        streams.add(greeting("7-0") + message(40, JOB, "a"));
        streams.add(410);
        streams.add(greeting("8-0") + end(JOB, "DONE-OK", "0"));
        assertThat(ce("follow", JOB)).isZero();
        assertThat(followed().get(2)).startsWith("/messages?after=0&");
        assertThat(err()).contains("new database");
    }

    @Test
    void ofAJobThatHasEndedWhatWasStoredIsShown() {
        jobs.put(JOB, 409);
        streams.add(greeting("7-0") + message(1, JOB, "a") + end(JOB, "DONE-FAILED", "0"));
        assertThat(ce("follow", JOB)).isEqualTo(1);
        assertThat(out()).contains("INFO a");
        assertThat(err()).contains(JOB + " has ended: shown is", "DONE-FAILED exit=0");
    }

    @Test
    void anOlderCeIsNamedSo() {
        jobs.put(JOB, 405);
        assertThat(ce("follow", JOB)).isEqualTo(1);
        assertThat(err()).contains("this CE has no messages of jobs");
    }

    @Test
    void pagesAreReadToTheEnd() throws IOException {
        String first = object(1, JOB, "message", "\"number\":1,\"level\":\"info\",\"key\":\"k\",\"text\":\"one\"");
        String second = object(2, OTHER, "notice", "\"level\":\"warning\",\"text\":\"two\"");
        for (int run = 0; run < 2; run++) {
            pages.add("{\"messages\":[" + first + "],\"next\":\"7-1\",\"more\":true}");
            pages.add("{\"messages\":[" + second + "],\"next\":\"" + LAST + "\",\"more\":false}");
        }
        assertThat(ce("messages", "--vo", "dteam")).as(err()).isZero();
        assertThat(out())
                .isEqualTo(JOB + " 2026-11-25T12:00:00Z INFO [k] one\n" + OTHER
                        + " [CE] 2026-11-25T12:00:00Z NOTICE two\n");
        assertThat(requests)
                .containsExactly(
                        "/messages?after=0&scope=vo%3Adteam&output=false&limit=1000",
                        "/messages?after=7-1&scope=vo%3Adteam&output=false&limit=1000");
        out.reset();
        assertThat(ce("messages", "--all", "--json", "--after", "7-0")).isZero();
        JsonNode root = JSON.readTree(out());
        assertThat(root.path("next").asText()).isEqualTo(LAST);
        assertThat(root.path("messages")).hasSize(2);
        assertThat(root.at("/messages/0/cursor").asText()).isEqualTo("7-1");
        out.reset();
        requests.clear();
        pages.add("{\"messages\":[" + first + "],\"next\":\"7-1\",\"more\":false}");
        assertThat(ce("messages", "--latest", JOB)).isZero();
        assertThat(requests).containsExactly("/jobs/" + JOB + "/messages?latest=true&output=false");
        assertThat(out()).isEqualTo("2026-11-25T12:00:00Z INFO [k] one\n");
    }

    @Test
    void wrongWordsAreUsageAndNothingIsSent() {
        for (String wrong : List.of(
                "messages",
                "messages --all " + JOB,
                "messages --all --vo dteam",
                "messages --all --latest",
                "messages --after x " + JOB,
                "messages --max 0 " + JOB,
                "messages --max 1 --follow " + JOB,
                "messages --level loud " + JOB,
                "follow",
                "follow --level loud " + JOB,
                "follow https://a/" + JOB + " https://b/" + JOB)) {
            err.reset();
            assertThat(ce(wrong.split(" "))).as(wrong).isEqualTo(2);
            assertThat(err()).as(wrong).hasLineCount(1).doesNotContain("Exception");
        }
        assertThat(requests).isEmpty();
    }
}
