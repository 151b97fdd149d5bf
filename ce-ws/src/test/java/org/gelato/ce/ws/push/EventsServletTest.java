package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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

/** {@code /events} over a real connection: followers that read, and one that does not. */
class EventsServletTest {
    private static final int THREADS = 4;
    private static final int FOLLOWERS = 30;
    private static final Duration STALLED = Duration.ofSeconds(2);
    private static final HttpConfig HTTP = new HttpConfig(
            THREADS, 100, 1, 1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(5), 2, 8, 100, Duration.ofSeconds(5));
    /** More than the network between two programs holds, with the texts below. */
    private static final int EVENTS = 4000;

    @TempDir
    private Path directory;

    private final FakeFeed feed = new FakeFeed();
    private final Followers<Integer> followers = new Followers<>(
            "events",
            new FollowedEvents(feed, new EventJson("https://ce:8443", FakeFeed.MADE)),
            PerUserLimit.of(FOLLOWERS + 2, FOLLOWERS),
            new Followers.Bounds(STALLED, Duration.ofMillis(500), Duration.ofMinutes(10)),
            System::nanoTime);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private CeServer server;

    @BeforeEach
    void start() {
        FakeServices fake = new FakeServices();
        List<ServletContextListener> listeners = List.of(
                new HttpEndpoints(
                        new Readiness(List.of(), Clock.systemUTC()),
                        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                        new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime),
                        new MonitoringAccess(List.of(), fake.callers())),
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        HttpEndpoints.add(
                                event.getServletContext(),
                                "events",
                                new EventsServlet(fake.callers(), feed, followers, text -> {}),
                                "/events");
                    }
                });
        server = new CeServer(
                new CeServer.Settings("127.0.0.1", 0, HTTP, directory.resolve("tomcat"), c -> {}), listeners);
        server.start();
    }

    @AfterEach
    void stop() {
        followers.close();
        server.close();
    }

    private HttpRequest request(String path, String caller) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("X-Caller", caller)
                .build();
    }

    /** A response that may have no end: its status is there before. */
    private HttpResponse<InputStream> events(String query) throws Exception {
        return client.send(request("/events" + query, "alice"), BodyHandlers.ofInputStream());
    }

    private static String text(HttpResponse<InputStream> response) throws IOException {
        return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** A follower's ids as they come. */
    private List<Long> follow(String query) {
        List<Long> ids = new CopyOnWriteArrayList<>();
        CompletableFuture<HttpResponse<Stream<String>>> response =
                client.sendAsync(request("/events" + query, "alice"), BodyHandlers.ofLines());
        Thread reader = new Thread(
                () -> {
                    long[] id = new long[1];
                    response.join().body().forEach(line -> {
                        if (line.startsWith("id: ")) {
                            id[0] = Long.parseLong(line.substring(line.indexOf('-') + 1));
                        } else if (line.startsWith("data: ")) {
                            ids.add(id[0]);
                        }
                    });
                },
                "reader");
        reader.setDaemon(true);
        reader.start();
        return ids;
    }

    /** Alice's of the first ids. */
    private static List<Long> ofAlice(long to) {
        return LongStream.rangeClosed(1, to).filter(id -> id % 10 != 0).boxed().toList();
    }

    @Test
    void oneWhoDoesNotReadIsCutAndOthersNoticeNothing() throws Exception {
        List<List<Long>> readers =
                IntStream.range(0, 3).mapToObj(i -> follow("?from=0")).toList();
        await().until(() -> followers.size() == readers.size());
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(4096);
            deaf.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            deaf.getOutputStream()
                    .write("GET /events?from=0 HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> followers.size() == readers.size() + 1);
            feed.add(1, EVENTS, "x".repeat(2000));
            followers.wake();
            await().atMost(Duration.ofMinutes(1)).until(() -> followers.cut() == 1);
            await().until(() -> followers.size() == readers.size());
            // It gets what was under way, and no more.
            deaf.setSoTimeout(30_000);
            long taken = 0;
            try (InputStream in = deaf.getInputStream()) {
                byte[] buffer = new byte[64 << 10];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    taken += n;
                }
            } catch (IOException e) {
                assertThat(e).as("end of the connection").hasMessageContaining("reset");
            }
            assertThat(taken).isPositive().isLessThan(EVENTS * 2000L);
        }
        for (List<Long> reader : readers) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> reader.size() == ofAlice(EVENTS).size());
        }
        feed.add(EVENTS + 1, EVENTS + 20);
        followers.wake();
        for (List<Long> reader : readers) {
            await().until(() -> reader.size() == ofAlice(EVENTS + 20).size());
            assertThat(reader).isEqualTo(ofAlice(EVENTS + 20));
        }
        assertThat(followers.cut()).isEqualTo(1);
    }

    /** Of the server's few threads followers hold none. */
    @Test
    void followersHoldNoThread() throws Exception {
        List<List<Long>> readers =
                IntStream.range(0, FOLLOWERS).mapToObj(i -> follow("?from=0")).toList();
        await().until(() -> followers.size() == FOLLOWERS);
        assertThat(client.send(request("/health/live", "bob"), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<InputStream> refused = events("");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(text(refused)).contains(FOLLOWERS + " times already");
        feed.add(1, 50);
        followers.wake();
        for (List<Long> reader : readers) {
            await().until(() -> reader.equals(ofAlice(50)));
        }
    }

    @Test
    void aCursorOfAnotherDatabaseIsGone() throws Exception {
        HttpResponse<InputStream> gone = events("?from=" + (FakeFeed.MADE.toEpochMilli() + 1) + "-7");
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(text(gone)).contains("from=0");
        assertThat(followers.size()).isZero();
    }

    /** What a follower holds is a number of its owner and a cursor, whatever it sends. */
    @Test
    void largeRequestsAreRefusedBeforeAnythingIsRead() throws Exception {
        int reads = feed.horizons.get() + feed.reads.get();
        for (String large : List.of(
                "?from=" + "9".repeat(7000),
                "?" + "from=0&".repeat(1000),
                "?" + "from=0&".repeat(1001),
                "?from=%C3%28",
                "?scope=" + "a".repeat(7000),
                "?" + "job=1&".repeat(1000))) {
            HttpResponse<InputStream> response = events(large);
            assertThat(response.statusCode()).as(large.substring(0, 10)).isEqualTo(400);
            assertThat(text(response)).as("of a refusal").hasSizeLessThan(300);
        }
        assertThat(feed.horizons.get() + feed.reads.get()).isEqualTo(reads);
        assertThat(followers.size()).isZero();
    }
}
