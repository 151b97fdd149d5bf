package org.gelato.ce.cli.soap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.ProtocolConnector;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which protocol a credential chooses, and where a bearer token goes. */
class TokenTest {
    private static final String SOAP = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
            + " xmlns:t=\"http://glite.org/2007/11/ce/cream/types\"><s:Body><t:JobListResponse/></s:Body></s:Envelope>";

    @TempDir
    Path temp;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new LinkedHashMap<>();
    /** Paths and what stands in Authorization. */
    private final List<String> requests = new ArrayList<>();

    private TestGrid grid;
    private HttpsServer server;

    @BeforeEach
    void start() throws Exception {
        grid = new TestGrid(temp.resolve("grid"), "Our CA");
        server = LocalHttps.of(grid, exchange -> {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            requests.add(path + " " + exchange.getRequestHeaders().getFirst("Authorization"));
            boolean soap = path.startsWith("/ce-cream");
            byte[] response = (soap ? SOAP : "{\"job\":[]}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", soap ? "text/xml" : "application/json");
            exchange.sendResponseHeaders(200, response.length);
            exchange.getResponseBody().write(response);
            exchange.close();
        });
        server.start();
        environment.put("X509_USER_PROXY", temp.resolve("none").toString());
        environment.put("X509_CERT_DIR", grid.certificates.toString());
        environment.put("CE_ENDPOINT", "localhost:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int run(String... args) {
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
                        time -> {},
                        new ProtocolConnector()),
                args);
    }

    private static String token(Instant end) {
        String claims = "{\"sub\":\"ann\",\"exp\":" + end.getEpochSecond() + "}";
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString("{}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".c2ln";
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aTokenAloneSpeaksArcRestAndIsSentOverSoapOnDemand() {
        String token = token(Instant.now().plusSeconds(600));
        environment.put("BEARER_TOKEN", token);
        assertThat(run("list")).as(said()).isZero();
        assertThat(run("--protocol", "cream2", "list")).as(said()).isZero();
        assertThat(requests)
                .containsExactly("/arex/rest/1.0/jobs Bearer " + token, "/ce-cream/services/CREAM2 Bearer " + token);
    }

    @Test
    void aProxySpeaksCreamAndTheAddressDecidesBeforeIt() throws Exception {
        String token = token(Instant.now().plusSeconds(600));
        environment.put("BEARER_TOKEN", token);
        environment.put(
                "X509_USER_PROXY",
                grid.proxy(temp.resolve("proxy"), Duration.ofHours(1)).toString());
        assertThat(run("list")).as(said()).isZero();
        assertThat(run("list", "-e", "https://" + environment.get("CE_ENDPOINT") + "/arex"))
                .as(said())
                .isZero();
        assertThat(requests).containsExactly("/ce-cream/services/CREAM2 null", "/arex/rest/1.0/jobs Bearer " + token);
    }

    @Test
    void aTokenThatHasEndedOrIsNoneFailsBeforeTheCallAndIsNotShown() {
        String ended = token(Instant.now().minusSeconds(1));
        environment.put("BEARER_TOKEN", ended);
        for (String protocol : List.of("auto", "arcrest", "cream2")) {
            assertThat(run("--debug", "--protocol", protocol, "list")).isEqualTo(1);
        }
        assertThat(said()).contains("the token of BEARER_TOKEN ended at").doesNotContain(ended);
        environment.put("BEARER_TOKEN", "no token{");
        assertThat(run("--debug", "list")).isEqualTo(1);
        assertThat(said()).contains("is no bearer token").doesNotContain("no token{");
        assertThat(requests).isEmpty();
    }
}
