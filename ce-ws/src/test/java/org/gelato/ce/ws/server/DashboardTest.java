package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.ServletContextListener;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.authorization.MonitoringReaders;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.core.monitoring.RecentJobs;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.gelato.ce.ws.dashboard.DashboardData;
import org.gelato.ce.ws.dashboard.DashboardEndpoints;
import org.gelato.ce.ws.dashboard.LiveState;
import org.gelato.ce.ws.dashboard.Situation;
import org.gelato.ce.ws.http.AddressRange;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page at the root, and who gets the data behind it. */
class DashboardTest extends ServerFixture {
    private static final String FROM = MonitoringTest.FROM;
    private static final String STRANGER = "198.51.100.1";
    /** Requests for data that may read them, or wait for who does, at once. */
    private static final int PLACES = 4;

    private static final String DATA = "/dashboard/data?span=hour";

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final AtomicLong nanos = new AtomicLong();
    private List<JobStore.Present> present = List.of();
    private final AtomicInteger readers = new AtomicInteger();
    private volatile CountDownLatch reading;

    private final class Live implements LiveState {
        @Override
        public Map<String, Object> now() {
            CountDownLatch end = reading;
            if (end != null) {
                readers.incrementAndGet();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return Map.of("host", "<b>ce</b>");
        }

        @Override
        public Situation situation() {
            return new Situation(
                    Instant.now(),
                    "ce",
                    "slurm",
                    DiagnosticCommands.none("Slurm"),
                    new Situation.Jobs(0, 0, 0),
                    List.of(new Situation.Check("helper", false, false, "no " + "*".repeat(200) + " helper", null)),
                    true,
                    null,
                    Duration.ZERO,
                    List.of(),
                    Instant.now().plus(Duration.ofDays(300)),
                    Map.of());
        }

        @Override
        public List<JobStore.Present> present() {
            return present;
        }
    }

    @BeforeEach
    @Override
    void start() {
        super.start();
        server.close();
        server = server(listeners(null, LIMITS));
        server.start();
    }

    @Override
    List<ServletContextListener> listeners(AsyncExchanges exchanges, TransferLimits limits) {
        if (exchanges != null) {
            return super.listeners(exchanges, limits);
        }
        List<ServletContextListener> listeners = new ArrayList<>();
        listeners.add(new MonitoringTest.Elsewhere());
        listeners.addAll(super.listeners(
                new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime), limits));
        listeners.add(new DashboardEndpoints(
                new MonitoringAccess(
                        List.of(AddressRange.parse("192.0.2.0/24")),
                        fake.callers(),
                        new MonitoringReaders(List.of("CN=reader"))::contains,
                        List.of()),
                new DashboardData(
                        new Live(),
                        new SeriesStore(DB.database()),
                        new RecentJobs(DB.database()),
                        Clock.systemUTC(),
                        nanos::get),
                new JobSearch(DB.database(), JobNumbers.of(DB.database())),
                DiagnosticCommands.none("fake"),
                Clock.systemUTC()));
        return listeners;
    }

    @Test
    void thePageIsForEverybodyAndRunsNothingButItself() throws Exception {
        HttpResponse<String> page = get("/", FROM, STRANGER);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
        String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy)
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "*", "http");
        assertThat(page.body())
                .doesNotContain("http:", "https:", "style=", "onclick", "<style")
                .contains("lang=\"en\"");
        assertThat(page.body().replaceAll("<script src=\"dashboard/[a-zA-Z.]+\" defer></script>", ""))
                .doesNotContain("<script");
        for (String file : List.of(
                "app.js",
                "charts.js",
                "dom.js",
                "job.js",
                "now.js",
                "style.css",
                "uPlot.iife.min.js",
                "uPlot.min.css",
                "icon.svg")) {
            HttpResponse<String> part = get("/dashboard/" + file, FROM, STRANGER);
            assertThat(part.statusCode()).as(file).isEqualTo(200);
            assertThat(part.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            String tag = part.headers().firstValue("ETag").orElseThrow();
            assertThat(get("/dashboard/" + file, FROM, STRANGER, "If-None-Match", tag)
                            .statusCode())
                    .isEqualTo(304);
        }
        for (String script : List.of("app.js", "charts.js", "dom.js", "job.js", "now.js")) {
            assertThat(get("/dashboard/" + script, FROM, STRANGER).body())
                    .as(script)
                    .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
        }
        assertThat(get("/dashboard/uPlot.LICENSE", FROM, STRANGER).body()).contains("MIT License", "Leon Sorokin");
        assertThat(get("/dashboard/../metrics", FROM, STRANGER).statusCode()).isNotEqualTo(200);
        assertThat(get("/other", FROM, STRANGER).statusCode()).isEqualTo(404);
    }

    @Test
    void theManualIsForEverybodyUnderTheSamePolicy() throws Exception {
        HttpResponse<String> moved = get("/docs", FROM, STRANGER);
        assertThat(moved.statusCode()).isEqualTo(302);
        assertThat(moved.headers().firstValue("Location").orElseThrow()).endsWith("/docs/");
        HttpResponse<String> page = get("/docs/admin/day-two.html", FROM, STRANGER);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy")).contains(DashboardEndpoints.POLICY);
        assertThat(page.body()).contains("id=\"symptoms\"").doesNotContain("style=", "onclick", "<style");
        String tag = page.headers().firstValue("ETag").orElseThrow();
        assertThat(get("/docs/admin/day-two.html", FROM, STRANGER, "If-None-Match", tag)
                        .statusCode())
                .isEqualTo(304);
        assertThat(get("/docs/", FROM, STRANGER).body()).contains("Documentation");
        assertThat(get("/docs/search.js", FROM, STRANGER).body())
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
        assertThat(get("/docs/admin/screens/all-well.png", FROM, STRANGER)
                        .headers()
                        .firstValue("Content-Type"))
                .contains("image/png");
        for (String path :
                List.of("files.txt", "no.html", "admin", "admin/../../logback.xml", "%2e%2e/logback.xml", "admin/")) {
            assertThat(get("/docs/" + path, FROM, STRANGER).statusCode())
                    .as(path)
                    .isBetween(400, 404);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {DATA, "/dashboard/jobs?text=x", "/dashboard/jobs?latest=all", "/dashboard/jobs?id=CREAM123456789"
            })
    void dataAreForTheCesAccountAdministratorsAndReaders(String path) throws Exception {
        // Metrics are for the networks, people's names are not.
        for (String address : List.of(STRANGER, "192.0.2.200")) {
            HttpResponse<String> refused = get(path, FROM, address, "X-Caller", "alice");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("gelato.monitoring.readers");
            assertThat(get(path, FROM, address).statusCode()).isEqualTo(403);
        }
        for (String caller : List.of("admin", "reader")) {
            assertThat(get(path, FROM, STRANGER, "X-Caller", caller).statusCode())
                    .as(caller)
                    .isIn(200, 400);
        }
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).isIn(200, 400);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void dataAreForNoOtherAccountOfThisHost() throws Exception {
        for (String path : List.of(
                DATA, "/dashboard/jobs?text=x", "/dashboard/jobs?latest=all", "/dashboard/jobs?latest=failed")) {
            assertThat(OtherAccount.get(server.port(), path))
                    .startsWith("HTTP/1.1 403")
                    .contains("gelato.monitoring.accounts");
        }
    }

    @Test
    void aReaderSeesTheDashboardToo() throws Exception {
        assertThat(get("/dashboard/data?span=month", FROM, STRANGER, "X-Caller", "reader")
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dashboard/data",
                "/dashboard/data?span=year",
                "/dashboard/data?span=day&span=day",
                "/dashboard/jobs",
                "/dashboard/jobs?text=",
                "/dashboard/jobs?latest=x",
                "/dashboard/jobs?id=1%20OR%201=1",
                "/dashboard/jobs?reason=x&state=RUNNING&span=hour",
                "/dashboard/jobs?reason=x&state=ABORTED",
                "/dashboard/jobs?id=CREAM123456789"
            })
    void whatIsNotAskedProperlyIsRefusedWithAReason(String path) throws Exception {
        HttpResponse<String> refused = get(path);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).path("error").asText()).isNotBlank();
    }

    @Test
    void aRefreshCostsAtMostEightStatementsWhateverIsStored() throws Exception {
        long few = statementsOfARefresh();
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "h")) {
            for (int user = 0; user < 30; user++) {
                ce.jobs
                        .registration()
                        .register(
                                TestCe.caller("user" + user),
                                Stream.generate(() -> TestCe.description(true))
                                        .limit(50)
                                        .toList(),
                                null);
            }
            present = DB.database().read(ce.jobStore::countPresent);
        }
        DB.database()
                .inTransaction(
                        h -> h.execute("INSERT INTO usage_record (job_number, owner_id, account_id, queue_id, state,"
                                + " registered_at, ended_at) SELECT id, owner_id, account_id, queue_id, 8, registered_at,"
                                + " UTC_TIMESTAMP(6) FROM job"));
        assertThat(present).hasSizeGreaterThanOrEqualTo(30);
        assertThat(statementsOfARefresh()).isBetween(few, 8L);
        HttpResponse<String> data = get(DATA);
        assertThat(json(data).path("owners")).hasSize(20);
        assertThat(json(data).path("vos").get(0).path("ended").asInt()).isEqualTo(1500);
        assertThat(json(data).path("series").path("time")).hasSize(60);
        assertThat(json(data).path("error").isMissingNode()).isTrue();
    }

    private long statementsOfARefresh() throws Exception {
        nanos.addAndGet(6_000_000_000L);
        long before = DB.database().statements();
        assertThat(get(DATA).statusCode()).isEqualTo(200);
        return DB.database().statements() - before;
    }

    @Test
    void manyBrowsersCostOneRefresh() throws Exception {
        get(DATA);
        nanos.addAndGet(6_000_000_000L);
        long before = DB.database().statements();
        for (CompletableFuture<HttpResponse<String>> browser : browsers(200, DATA)) {
            assertThat(browser.get().statusCode()).isEqualTo(200);
        }
        assertThat(DB.database().statements() - before).isBetween(1L, 8L);
    }

    private List<CompletableFuture<HttpResponse<String>>> browsers(int count, String path) {
        return IntStream.range(0, count)
                .mapToObj(i -> client.sendAsync(request(path), BodyHandlers.ofString()))
                .toList();
    }

    /** The database may take its time: browsers get what is kept, and other requests their threads. */
    @Test
    void aRefreshThatTakesLongHoldsUpNobody() throws Exception {
        HttpResponse<String> kept = get(DATA);
        nanos.addAndGet(6_000_000_000L);
        CountDownLatch end = new CountDownLatch(1);
        try {
            reading = end;
            List<CompletableFuture<HttpResponse<String>>> makers = Stream.of("hour", "day", "week", "month")
                    .map(span -> browsers(1, "/dashboard/data?span=" + span).get(0))
                    .toList();
            await().until(() -> readers.get() == PLACES);
            long before = DB.database().statements();
            for (CompletableFuture<HttpResponse<String>> browser : browsers(200, DATA)) {
                assertThat(browser.get().statusCode()).isEqualTo(200);
                assertThat(browser.get().body()).isEqualTo(kept.body());
            }
            // Of a span without data yet nobody more waits.
            for (CompletableFuture<HttpResponse<String>> browser : browsers(40, "/dashboard/data?span=week")) {
                assertThat(browser.get().statusCode()).isEqualTo(503);
                assertThat(browser.get().headers().firstValue("Retry-After")).isPresent();
                assertThat(browser.get().body()).contains("too many requests at once");
            }
            assertThat(post("/ce-cream/services/Echo", "a submission").body()).isEqualTo("a submission");
            assertThat(DB.database().statements() - before).isZero();
            assertThat(makers).noneMatch(CompletableFuture::isDone);
            end.countDown();
            for (CompletableFuture<HttpResponse<String>> maker : makers) {
                assertThat(maker.get().statusCode()).isEqualTo(200);
                assertThat(maker.get().body()).isNotEqualTo(kept.body());
            }
        } finally {
            reading = null;
            end.countDown();
        }
    }

    @Test
    void withoutItsDatabaseThePageHasWhatTheNodeKnows() throws Exception {
        nanos.addAndGet(6_000_000_000L);
        DB.database().inTransaction(h -> h.execute("RENAME TABLE series_point TO series_gone"));
        try {
            HttpResponse<String> data = get(DATA);
            assertThat(data.statusCode()).isEqualTo(200);
            assertThat(json(data).path("error").asText()).contains("database");
            assertThat(json(data).at("/now/host").asText()).isEqualTo("<b>ce</b>");
        } finally {
            DB.database().inTransaction(h -> h.execute("RENAME TABLE series_gone TO series_point"));
        }
    }
}
