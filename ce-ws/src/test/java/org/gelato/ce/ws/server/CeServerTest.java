package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.event.WrapperEvent;
import org.gelato.ce.ws.config.HttpConfig;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.ProcessMeters;
import org.gelato.ce.ws.http.Readiness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CeServerTest {
    private static final HttpConfig HTTP =
            new HttpConfig(8, 50, 1, 1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(5));
    private static final String OUTPUT = "/ce-cream/output/" + FakeServices.JOB + "/";

    @TempDir
    private Path directory;

    private final FakeServices fake = new FakeServices();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private volatile boolean lrmsUp = true;
    private CeServer server;

    @BeforeEach
    void start() {
        Readiness readiness = new Readiness(List.of(new Lrms()), Clock.systemUTC());
        server = server(List.of(new HttpEndpoints(fake.services(), readiness, meters, HTTP.downloads()), new Echo()));
        server.start();
        server.bind(meters);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void live_and_ready_answer_without_certificate() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        HttpResponse<String> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(json(ready).at("/checks/0/name").asText()).isEqualTo("lrms");
        assertThat(json(ready).at("/checks/0/ok").asBoolean()).isTrue();
    }

    @Test
    void not_ready_is_503_and_names_the_check() throws Exception {
        lrmsUp = false;

        HttpResponse<String> ready = get("/health/ready");

        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(json(ready).at("/ready").asBoolean()).isFalse();
        assertThat(json(ready).at("/checks/0/detail").asText()).isEqualTo("slurmctld is down");
    }

    @Test
    void metrics_show_process_and_connector() throws Exception {
        try (ProcessMeters process = new ProcessMeters()) {
            process.bind(meters);
            HttpResponse<String> response = get("/metrics");
            assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
            assertThat(response.body())
                    .contains("process_files_open_files", "jvm_memory_used_bytes", "tomcat_threads_max 8.0")
                    .containsPattern("tomcat_threads_busy [1-8]\\.0")
                    .containsPattern("tomcat_connections_current [1-9][0-9]*\\.0");
        }
    }

    @Test
    void a_believed_event_is_applied() throws Exception {
        HttpResponse<String> response = post("/ce-cream/wrapper-events", event(FakeServices.GOOD_TOKEN));

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.body()).isEmpty();
        assertThat(fake.believed)
                .extracting(e -> e.job().toString(), WrapperEvent::exitCode)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(FakeServices.JOB, 3));
    }

    @Test
    void an_event_with_a_wrong_secret_is_refused_without_a_word_why() throws Exception {
        HttpResponse<String> response = post("/ce-cream/wrapper-events", event("guess"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(json(response).at("/error").asText()).isEqualTo("refused");
        assertThat(fake.believed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "job=CREAM000000042\nevent=DONE"})
    void what_is_no_event_is_400(String body) throws Exception {
        assertThat(post("/ce-cream/wrapper-events", body).statusCode()).isEqualTo(400);
    }

    @Test
    void an_event_larger_than_8_KiB_is_400_however_it_comes() throws Exception {
        String large = event(FakeServices.GOOD_TOKEN) + "padding=" + "x".repeat(WrapperEvent.MAX_BYTES);

        assertThat(post("/ce-cream/wrapper-events", large).statusCode()).isEqualTo(400);
        HttpRequest chunked = HttpRequest.newBuilder(uri("/ce-cream/wrapper-events"))
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new java.io.ByteArrayInputStream(large.getBytes(StandardCharsets.UTF_8))))
                .build();
        assertThat(client.send(chunked, BodyHandlers.ofString()).statusCode()).isEqualTo(400);
        assertThat(fake.believed).isEmpty();
    }

    @Test
    void lists_the_output_of_a_job() throws Exception {
        fake.files.put("env.out", new byte[7]);
        fake.files.put("env.err", new byte[0]);

        HttpResponse<String> response = get(OUTPUT, "X-Caller", "alice");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).toString())
                .isEqualTo("[{\"name\":\"env.out\",\"size\":7},{\"name\":\"env.err\",\"size\":0}]");
    }

    @Test
    void sends_a_file_of_several_parts_whole() throws Exception {
        byte[] content = new byte[(5 << 19) + 17];
        new Random(1).nextBytes(content);
        fake.files.put("big.bin", content);

        HttpResponse<byte[]> response = bytes(OUTPUT + "big.bin", "X-Caller", "alice");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(content.length);
        assertThat(response.body()).isEqualTo(content);
        assertThat(fake.parts).hasSize(3).allMatch(part -> part <= 1 << 20);
    }

    @Test
    void sends_an_empty_file_and_names_with_blanks() throws Exception {
        fake.files.put("empty file", new byte[0]);

        HttpResponse<byte[]> response = bytes(OUTPUT + "empty%20file", "X-Caller", "alice");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void sends_the_range_asked_for() throws Exception {
        fake.files.put("env.out", "0123456789".getBytes(StandardCharsets.UTF_8));

        HttpResponse<byte[]> middle = bytes(OUTPUT + "env.out", "X-Caller", "alice", "Range", "bytes=3-5");
        assertThat(middle.statusCode()).isEqualTo(206);
        assertThat(new String(middle.body(), StandardCharsets.UTF_8)).isEqualTo("345");
        assertThat(middle.headers().firstValue("Content-Range")).contains("bytes 3-5/10");

        HttpResponse<byte[]> tail = bytes(OUTPUT + "env.out", "X-Caller", "alice", "Range", "bytes=-2");
        assertThat(new String(tail.body(), StandardCharsets.UTF_8)).isEqualTo("89");

        HttpResponse<byte[]> outside = bytes(OUTPUT + "env.out", "X-Caller", "alice", "Range", "bytes=10-");
        assertThat(outside.statusCode()).isEqualTo(416);
        assertThat(outside.headers().firstValue("Content-Range")).contains("bytes */10");
    }

    @Test
    void head_tells_the_size_and_sends_nothing() throws Exception {
        fake.files.put("env.out", new byte[100]);
        HttpRequest head = HttpRequest.newBuilder(uri(OUTPUT + "env.out"))
                .header("X-Caller", "alice")
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();

        HttpResponse<String> response = client.send(head, BodyHandlers.ofString());

        assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(100);
        assertThat(fake.parts).containsExactly(1);
    }

    @Test
    void a_file_that_shrinks_breaks_the_transfer_off() {
        fake.files.put("env.out", new byte[3 << 20]);
        fake.beforePart = () -> {
            if (fake.parts.size() == 1) {
                fake.files.put("env.out", new byte[10]);
            }
        };

        assertThatThrownBy(() -> bytes(OUTPUT + "env.out", "X-Caller", "alice")).isInstanceOf(IOException.class);
    }

    @Test
    void foreign_and_unknown_jobs_and_files_are_404() throws Exception {
        fake.files.put("env.out", new byte[1]);

        for (HttpResponse<String> response : List.of(
                get(OUTPUT + "env.out", "X-Caller", "bob"),
                get("/ce-cream/output/CREAM000000001/", "X-Caller", "alice"))) {
            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(json(response).at("/error").asText()).isEqualTo("no such job");
        }
        HttpResponse<String> file = get(OUTPUT + "other", "X-Caller", "alice");
        assertThat(file.statusCode()).isEqualTo(404);
        assertThat(json(file).at("/error").asText()).isEqualTo("no such file");
    }

    @Test
    void output_without_certificate_is_403() throws Exception {
        HttpResponse<String> response = get(OUTPUT);

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(json(response).at("/error").asText()).isEqualTo("a client certificate is needed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b",
                "%2e%2e",
                "..%2f..%2fetc%2fpasswd",
                "%2e%2e/%2e%2e/etc/passwd",
                "a%5cb",
                "a%00b",
                "a%0ab",
                "..a"
            })
    void names_that_leave_the_directory_are_refused(String name) throws Exception {
        fake.files.put("passwd", new byte[1]);
        fake.files.put("b", new byte[1]);

        HttpResponse<String> response = get(OUTPUT + name, "X-Caller", "alice");

        assertThat(response.statusCode()).isBetween(400, 404);
        assertThat(fake.parts).isEmpty();
    }

    @Test
    void more_downloads_than_allowed_are_told_to_come_again() throws Exception {
        fake.files.put("env.out", new byte[1]);
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<Void> release = new CompletableFuture<>();
        fake.beforePart = () -> {
            entered.complete(null);
            release.join();
        };
        CompletableFuture<HttpResponse<Void>> first = client.sendAsync(
                HttpRequest.newBuilder(uri(OUTPUT + "env.out"))
                        .header("X-Caller", "alice")
                        .build(),
                BodyHandlers.discarding());
        entered.join();

        HttpResponse<String> second = get(OUTPUT + "env.out", "X-Caller", "alice");
        release.complete(null);

        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.headers().firstValue("Retry-After")).contains("1");
        assertThat(first.join().statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ce-cream/services/Echo", "//ce-cream/services/Echo", "/ce-cream//services///Echo"})
    void doubled_slashes_reach_the_same_servlet(String path) throws Exception {
        assertThat(raw("POST " + path + " HTTP/1.1\r\nHost: ce\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"))
                .startsWith("HTTP/1.1 200")
                .endsWith("hi");
    }

    @Test
    void errors_show_neither_stack_nor_version() throws Exception {
        for (HttpResponse<String> response : List.of(
                get("/nowhere"),
                get("/ce-cream/services/Echo?fail"),
                get("/ce-cream/services/Echo?refuse"),
                get("/WEB-INF/web.xml"),
                get("/error"))) {
            assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(json(response).at("/status").asInt()).isEqualTo(response.statusCode());
            assertThat(response.statusCode()).isGreaterThanOrEqualTo(400);
            assertThat(response.body()).doesNotContainIgnoringCase("tomcat").doesNotContain("Exception", "secret");
            assertThat(response.headers().map()).doesNotContainKeys("server", "x-powered-by", "set-cookie");
        }
    }

    @Test
    void nonsense_on_the_line_is_400_without_a_version() throws Exception {
        assertThat(raw("NONSENSE\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .doesNotContainIgnoringCase("tomcat")
                .doesNotContain("Exception");
        assertThat(raw("GET /a%2fb HTTP/1.1\r\nHost: ce\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .doesNotContainIgnoringCase("tomcat");
    }

    @Test
    void a_port_in_use_is_said_so() {
        CeServer second = new CeServer(
                new CeServer.Settings("127.0.0.1", server.port(), HTTP, directory.resolve("second"), c -> {}),
                fake.services(),
                List.of());

        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1 port " + server.port());
    }

    @Test
    void a_listener_that_fails_keeps_the_server_from_starting() {
        CeServer failing = server(List.of(new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                throw new IllegalStateException("no WSDL");
            }
        }));

        assertThatThrownBy(failing::start).hasMessageContaining("no WSDL");
    }

    private CeServer server(List<ServletContextListener> listeners) {
        return new CeServer(
                new CeServer.Settings("127.0.0.1", 0, HTTP, directory.resolve("tomcat"), c -> {}),
                fake.services(),
                listeners);
    }

    private static String event(String token) {
        return "job=" + FakeServices.JOB + "\nattempt=1\nevent=DONE\ntime=1700000000000000\nnode=wn1\nexit=3\ntoken="
                + token + "\n";
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        return client.send(request(path, headers), BodyHandlers.ofString());
    }

    private HttpResponse<byte[]> bytes(String path, String... headers) throws Exception {
        return client.send(request(path, headers), BodyHandlers.ofByteArray());
    }

    private HttpRequest request(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri(path));
        return (headers.length == 0 ? builder : builder.headers(headers)).build();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** Past the client library, which tidies paths up. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
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
    private static final class Echo implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            event.getServletContext().addServlet("echo", new EchoServlet()).addMapping("/ce-cream/services/Echo");
        }
    }

    private static final class EchoServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().transferTo(response.getOutputStream());
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
