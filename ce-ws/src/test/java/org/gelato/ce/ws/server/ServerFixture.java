package org.gelato.ce.ws.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.ws.http.AddressRange;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server without TLS on the loopback, over services in memory. */
public abstract class ServerFixture {
    static final HttpConfig HTTP = new HttpConfig(
            8, 50, 1, 1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(5), 2, 8, 50, Duration.ofSeconds(5));
    public static final TransferLimits LIMITS = new TransferLimits(1, 2, 4 << 20, 2000, 0, 3);
    static final String OUTPUT = "/ce-cream/output/" + FakeServices.JOB + "/";

    @TempDir
    Path directory;

    final FakeServices fake = new FakeServices();
    final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    volatile boolean lrmsUp = true;
    CeServer server;

    @BeforeEach
    void start() {
        server = server(listeners(
                new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime), LIMITS));
        server.start();
        server.bind(meters);
    }

    List<ServletContextListener> listeners(AsyncExchanges exchanges, TransferLimits limits) {
        Readiness readiness = new Readiness(List.of(new Lrms()), Clock.systemUTC());
        List<ServletContextListener> listeners = new ArrayList<>();
        listeners.add(new HttpEndpoints(
                readiness,
                meters,
                exchanges,
                new MonitoringAccess(List.of(AddressRange.parse("192.0.2.0/24")), fake.callers())));
        listeners.addAll(fake.endpoints(limits));
        listeners.add(new Echo());
        return listeners;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    CeServer server(List<ServletContextListener> listeners) {
        return new CeServer(
                new CeServer.Settings("127.0.0.1", 0, HTTP, directory.resolve("tomcat"), c -> {}), listeners);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        return client.send(request(path, headers), BodyHandlers.ofString());
    }

    HttpResponse<byte[]> bytes(String path, String... headers) throws Exception {
        return client.send(request(path, headers), BodyHandlers.ofByteArray());
    }

    HttpRequest request(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri(path));
        return (headers.length == 0 ? builder : builder.headers(headers)).build();
    }

    HttpResponse<String> post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** Past the client library, which tidies paths up. */
    String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        return new ObjectMapper().readTree(response.body());
    }

    private final class Lrms implements HealthCheck {
        @Override
        public String name() {
            return "lrms";
        }

        @Override
        public CompletableFuture<Outcome> check() {
            return CompletableFuture.completedFuture(new Outcome(lrmsUp, lrmsUp ? "slurm 22.05" : "slurmctld is down"));
        }
    }

    /** Stands for a protocol package. */
    static final class Echo implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            HttpEndpoints.add(event.getServletContext(), "echo", new EchoServlet(), "/ce-cream/services/Echo");
        }
    }

    private static final class EchoServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = Exchange.of(request).body("anybody", 1 << 20);
            if (body != null) {
                response.getOutputStream().write(body);
            }
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getQueryString().equals("fail")) {
                throw new IllegalStateException("secret");
            }
            response.sendError(HttpServletResponse.SC_CONFLICT, "secret");
        }
    }
}
