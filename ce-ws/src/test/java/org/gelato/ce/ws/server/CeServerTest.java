package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.ProcessMeters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CeServerTest extends ServerFixture {
    /** Tomcat's own setting, on which answers of several writes rely: without it each waits for the client's acknowledgement. */
    @Test
    void smallWritesDoNotWaitForAcknowledgements() {
        assertThat(new FaultKeepingProtocol().getTcpNoDelay()).isTrue();
    }

    @Test
    void liveAndReadyAnswerWithoutCertificate() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        HttpResponse<String> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(json(ready).at("/checks/0/name").asText()).isEqualTo("lrms");
        assertThat(json(ready).at("/checks/0/ok").asBoolean()).isTrue();
    }

    @Test
    void notReadyIs503AndNamesTheCheck() throws Exception {
        lrmsUp = false;

        HttpResponse<String> ready = get("/health/ready");

        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(json(ready).at("/ready").asBoolean()).isFalse();
        assertThat(json(ready).at("/checks/0/detail").asText()).isEqualTo("slurmctld is down");
    }

    @Test
    void metricsShowProcessAndConnector() throws Exception {
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
    void aBelievedEventIsApplied() throws Exception {
        HttpResponse<String> response = post("/ce-cream/wrapper-events", event(FakeServices.GOOD_TOKEN));

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.body()).isEmpty();
        assertThat(fake.believed)
                .extracting(e -> e.job().toString(), WrapperEvent::exitCode)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(FakeServices.JOB, 3));
    }

    @Test
    void anEventWithAWrongSecretIsRefusedWithoutAWordWhy() throws Exception {
        HttpResponse<String> response = post("/ce-cream/wrapper-events", event("guess"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(json(response).at("/error").asText()).isEqualTo("refused");
        assertThat(fake.believed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "job=CREAM000000042\nevent=DONE"})
    void whatIsNoEventIs400(String body) throws Exception {
        assertThat(post("/ce-cream/wrapper-events", body).statusCode()).isEqualTo(400);
    }

    @Test
    void anEventLargerThan8KiBIs400HoweverItComes() throws Exception {
        String large = event(FakeServices.GOOD_TOKEN) + "padding=" + "x".repeat(WrapperEvent.MAX_BYTES);

        assertThat(post("/ce-cream/wrapper-events", large).statusCode()).isEqualTo(400);
        HttpRequest chunked = HttpRequest.newBuilder(uri("/ce-cream/wrapper-events"))
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new java.io.ByteArrayInputStream(large.getBytes(StandardCharsets.UTF_8))))
                .build();
        assertThat(client.send(chunked, BodyHandlers.ofString()).statusCode()).isEqualTo(400);
        assertThat(fake.believed).isEmpty();
    }

    private static String messages(String token) {
        return "job=" + FakeServices.JOB + "\nevent=MESSAGES\nfirst=1\ntoken=" + token + "\n\n1 I - hello\n";
    }

    @Test
    void messagesAreAnsweredWithWhatIsWantedNext() throws Exception {
        HttpResponse<String> stored = post("/ce-cream/wrapper-messages", messages(FakeServices.GOOD_TOKEN));
        assertThat(stored.statusCode()).isEqualTo(204);
        assertThat(stored.headers().firstValue("Gelato-Next")).contains("7");
        assertThat(stored.headers().firstValue("Gelato-Live")).isEmpty();

        fake.live = true;
        fake.taken = MessageIntake.Result.GAP;
        HttpResponse<String> gap = post("/ce-cream/wrapper-messages", messages(FakeServices.GOOD_TOKEN));
        assertThat(gap.statusCode()).isEqualTo(409);
        assertThat(gap.headers().firstValue("Gelato-Next")).contains("7");
        assertThat(gap.headers().firstValue("Gelato-Live")).contains("1");

        fake.taken = MessageIntake.Result.FULL;
        assertThat(post("/ce-cream/wrapper-messages", messages(FakeServices.GOOD_TOKEN))
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void messagesWithAWrongSecretAndWhatIsNoneAreRefused() throws Exception {
        fake.live = true;
        HttpResponse<String> forged = post("/ce-cream/wrapper-messages", messages("guess"));
        assertThat(forged.statusCode()).isEqualTo(403);
        assertThat(forged.headers().map()).doesNotContainKeys("gelato-next", "gelato-live");
        assertThat(post("/ce-cream/wrapper-messages", event(FakeServices.GOOD_TOKEN))
                        .statusCode())
                .isEqualTo(400);
        assertThat(post("/ce-cream/wrapper-messages", messages(FakeServices.GOOD_TOKEN) + "1 I - more\n".repeat(1000))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aClaimIsGrantedToOneWrapperHoweverOftenItAsks() throws Exception {
        String claim = event(FakeServices.GOOD_TOKEN).replace("event=DONE", "event=CLAIM");
        assertThat(post("/ce-cream/wrapper-claims", claim).statusCode()).isEqualTo(400);
        assertThat(post("/ce-cream/wrapper-claims", claim + "\nclaimant=one").statusCode())
                .isEqualTo(200);
        assertThat(post("/ce-cream/wrapper-claims", claim + "\nclaimant=one").statusCode())
                .isEqualTo(200);
        assertThat(post("/ce-cream/wrapper-claims", claim + "\nclaimant=two").statusCode())
                .isEqualTo(409);
        String guess = claim.replace(FakeServices.GOOD_TOKEN, "guess");
        assertThat(post("/ce-cream/wrapper-claims", guess + "\nclaimant=one").statusCode())
                .isEqualTo(403);
    }

    /** A wrapper repeats after every 5xx, and gives up after a 4xx. */
    @Test
    void whatFailsIsRepeatedByWrappersWhateverFails() throws Exception {
        Map<String, String> reports = Map.of(
                "/ce-cream/wrapper-events", event(FakeServices.GOOD_TOKEN),
                "/ce-cream/wrapper-claims",
                        event(FakeServices.GOOD_TOKEN).replace("event=DONE", "event=CLAIM") + "\nclaimant=one",
                "/ce-cream/wrapper-messages", messages(FakeServices.GOOD_TOKEN));
        for (Map.Entry<String, String> report : reports.entrySet()) {
            fake.beforeReport = () -> {
                throw new IllegalStateException(new SQLException("--read-only", "HY000", 1290));
            };
            HttpResponse<String> busy = post(report.getKey(), report.getValue());
            assertThat(busy.statusCode()).as(report.getKey()).isEqualTo(503);
            assertThat(busy.headers().firstValue("Retry-After")).isPresent();
            assertThat(busy.headers().firstValue(FaultCode.HEADER)).contains("UNAVAILABLE");
            fake.beforeReport = () -> {
                throw new IllegalArgumentException("secret");
            };
            HttpResponse<String> broken = post(report.getKey(), report.getValue());
            assertThat(broken.statusCode()).as(report.getKey()).isEqualTo(500);
            assertThat(json(broken).at("/error").asText()).isEqualTo("internal error");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ce-cream/services/Echo", "//ce-cream/services/Echo", "/ce-cream//services///Echo"})
    void doubledSlashesReachTheSameServlet(String path) throws Exception {
        assertThat(raw("POST " + path + " HTTP/1.1\r\nHost: ce\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"))
                .startsWith("HTTP/1.1 200")
                .endsWith("hi");
    }

    @Test
    void errorsShowNeitherStackNorVersion() throws Exception {
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
    void nonsenseOnTheLineIs400WithoutAVersion() throws Exception {
        assertThat(raw("NONSENSE\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .doesNotContainIgnoringCase("tomcat")
                .doesNotContain("Exception");
        assertThat(raw("GET /a%2fb HTTP/1.1\r\nHost: ce\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .doesNotContainIgnoringCase("tomcat");
    }

    @Test
    void aPortInUseIsSaidSo() {
        CeServer second = new CeServer(
                new CeServer.Settings("127.0.0.1", server.port(), HTTP, directory.resolve("second"), c -> {}),
                List.of());

        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1 port " + server.port() + ": Address already in use");
    }

    @Test
    void anAddressOfAnotherHostIsSaidSo() {
        CeServer elsewhere = new CeServer(
                new CeServer.Settings("192.0.2.77", 0, HTTP, directory.resolve("elsewhere"), c -> {}), List.of());

        assertThatThrownBy(elsewhere::start)
                .hasMessageContaining("cannot listen on 192.0.2.77 port 0: Cannot assign requested address");
    }

    @Test
    void aListenerThatFailsKeepsTheServerFromStarting() {
        CeServer failing = server(List.of(new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                throw new IllegalStateException("no WSDL");
            }
        }));

        assertThatThrownBy(failing::start).hasMessageContaining("no WSDL");
    }

    private static String event(String token) {
        return "job=" + FakeServices.JOB + "\nattempt=1\nevent=DONE\ntime=1700000000000000\nnode=wn1\nexit=3\ntoken="
                + token + "\n";
    }
}
