package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.LabelStore.Labelled;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.http.MonitoringAccess;
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

class LabelledJobsTest {
    private static final HttpConfig HTTP = new HttpConfig(
            4, 100, 1, 1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(5), 2, 8, 100, Duration.ofSeconds(5));

    /** What was asked for. */
    private record Asked(String subject, JobLabels wanted, int after, int limit) {}

    @TempDir
    private Path directory;

    private final AtomicReference<Asked> asked = new AtomicReference<>();
    private final FakeServices fake = new FakeServices();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private int jobs = 1;
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
                        new LabelledJobs(URI.create("https://ce:8443"), fake.callers(), this::find)));
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private List<Labelled> find(Caller caller, JobLabels wanted, int after, int limit) {
        asked.set(new Asked(caller.identity().subject(), wanted, after, limit));
        return IntStream.rangeClosed(after + 1, after + Math.min(limit, jobs))
                .mapToObj(i ->
                        new Labelled(new JobId(i), i, new JobLabels(i % 2 == 1 ? "fit" : null, Map.of("run", "4" + i))))
                .toList();
    }

    private HttpResponse<String> answer(String query, String caller) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/jobs" + query))
                        .header("X-Caller", caller)
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void jobsOfTheCallerAreFoundByNameAndLabels() throws Exception {
        HttpResponse<String> response = answer("?name=fit&label=run%3D42&label=a%3D", "alice");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(asked.get())
                .isEqualTo(new Asked("CN=alice", new JobLabels("fit", Map.of("run", "42", "a", "")), 0, 1001));
        assertThat(response.body().strip())
                .isEqualTo(
                        "{\"jobs\":[{\"id\":\"https://ce:8443/CREAM000000001\",\"name\":\"fit\",\"labels\":{\"run\":\"41\"}}]}");
    }

    @Test
    void manyComeInPages() throws Exception {
        jobs = 5000;
        assertThat(answer("?name=fit", "alice").body().strip()).endsWith("\"next\":\"1000\"}");
        assertThat(answer("?name=fit&after=1000", "alice").body())
                .contains("CREAM000001001")
                .doesNotContain("CREAM000002001");
        assertThat(asked.get().after()).isEqualTo(1000);
    }

    @ParameterizedTest
    @CsvSource({
        "'', give a name",
        "?name=, empty",
        "?label=run, no label",
        "?label=a%3D1&label=a%3D2, given twice",
        "?name=a&name=b, more than once",
        "?name=a&after=x, after is what",
        "?name=a&owner=b, no such parameter"
    })
    void aWrongRequestSaysWhatIsWrong(String query, String reason) throws Exception {
        HttpResponse<String> response = answer(query, "alice");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains(reason);
        assertThat(asked.get()).isNull();
    }

    @Test
    void onlyReadersReadAndNobodyWrites() throws Exception {
        assertThat(answer("?name=a", "tom by compute.create").statusCode()).isEqualTo(403);
        HttpRequest post = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/jobs?name=a"))
                .header("X-Caller", "alice")
                .POST(BodyPublishers.ofString("x"))
                .build();
        HttpResponse<String> refused = client.send(post, BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(asked.get()).isNull();
        HttpRequest head = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/jobs?name=fit"))
                .method("HEAD", BodyPublishers.noBody())
                .header("X-Caller", "alice")
                .build();
        HttpResponse<String> response = client.send(head, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }
}
