package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.job.JobState;
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

    private final FakeServices fake = new FakeServices();

    private CeServer server(boolean enabled) {
        AsyncExchanges exchanges =
                new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime);
        List<ServletContextListener> listeners = new ArrayList<>();
        listeners.add(new HttpEndpoints(
                new Readiness(List.of(), Clock.systemUTC()),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                exchanges,
                new MonitoringAccess(List.of(), fake.callers())));
        listeners.addAll(fake.endpoints(ServerFixture.LIMITS));
        CeServer server = new CeServer(
                new CeServer.Settings("127.0.0.1", 0, ServerFixture.HTTP, directory.resolve("tomcat"), c -> {}),
                listeners,
                new AuditSettings(enabled, directory.resolve("access.log"), 1 << 20, 2));
        server.start();
        return server;
    }

    private String lines() throws IOException {
        Path file = directory.resolve("access.log");
        await().until(() -> Files.exists(file) && Files.size(file) > 0);
        return Files.readString(file);
    }

    private String request(boolean enabled) throws IOException, InterruptedException {
        try (CeServer server = server(enabled)) {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:" + server.port() + "/some/path?token=secret"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (enabled) {
                lines();
            }
            return response.headers().firstValue(RequestContext.HEADER).orElse("-");
        }
    }

    @Test
    void aLineHasTheRequestsIdAndNoQuery() throws IOException, InterruptedException {
        String id = request(true);
        assertThat(lines())
                .matches("[-0-9]{10}T[:0-9.]+Z 127\\.0\\.0\\.1 " + id + " 404 [0-9]+ [0-9]+ GET /some/path\n");
    }

    @Test
    void nothingIsWrittenWhenItIsOff() throws IOException, InterruptedException {
        request(false);
        assertThat(directory.resolve("access.log")).doesNotExist();
    }

    /** The server ends the connection of such a client as one that failed, and had 500 for it. */
    @Test
    void aClientThatGoesWithItsRefusalHasTheStatusThatItGot() throws IOException {
        fake.state = JobState.DONE_OK;
        try (CeServer server = server(true)) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.getOutputStream()
                        .write(("PUT /ce-cream/input/" + FakeServices.JOB
                                        + "/f HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\n"
                                        + "Content-Length: 1000\r\n\r\nbegun")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 409");
            }
            assertThat(lines()).contains(" 409 ");
        }
    }
}
