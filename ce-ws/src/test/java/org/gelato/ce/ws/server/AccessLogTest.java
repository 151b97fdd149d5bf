package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.gelato.ce.ws.audit.AuditSettings;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.web.RequestContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessLogTest {
    @TempDir
    private Path directory;

    private String request(boolean enabled) throws IOException, InterruptedException {
        Path file = directory.resolve("access.log");
        try (CeServer server = new CeServer(
                new CeServer.Settings("127.0.0.1", 0, ServerFixture.HTTP, directory.resolve("tomcat"), c -> {}),
                List.of(new HttpEndpoints(
                        new Readiness(List.of(), Clock.systemUTC()),
                        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                        new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime),
                        new MonitoringAccess(List.of(), new FakeServices().callers()))),
                new AuditSettings(enabled, file, 1 << 20, 2))) {
            server.start();
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:" + server.port() + "/some/path?token=secret"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (enabled) {
                await().until(() -> Files.exists(file) && Files.size(file) > 0);
            }
            return response.headers().firstValue(RequestContext.HEADER).orElse("-");
        }
    }

    @Test
    void aLineHasTheRequestsIdAndNoQuery() throws IOException, InterruptedException {
        String id = request(true);
        assertThat(Files.readString(directory.resolve("access.log")))
                .matches("[-0-9]{10}T[:0-9.]+Z 127\\.0\\.0\\.1 " + id + " 404 [0-9]+ [0-9]+ GET /some/path\n");
    }

    @Test
    void nothingIsWrittenWhenItIsOff() throws IOException, InterruptedException {
        request(false);
        assertThat(directory.resolve("access.log")).doesNotExist();
    }
}
