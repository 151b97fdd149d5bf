package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * An administrator with a certificate in the browser visits a page of somebody else, in Debian's Chromium and Firefox: nothing of what
 * that page sends happens. The CE's own page, and programs that send the same bytes, are served.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CrossSiteIT {
    private static final Pattern REFUSED = Pattern.compile("(?m)^ce_http_cross_site_refused_total (\\S+)$");
    private static final Pattern READ = Pattern.compile(
            "(?m)^ce_requests_seconds_count\\{operation=\"jobs-list\",outcome=\"ok\",service=\"\\w+\"} (\\S+)$");
    private static final String JOBS = "/arex/rest/1.0/jobs";
    private static final String BANS = "/ce-cream/admin/bans";

    private static SiteCe ce;
    private static GridCredential vera;
    private static HttpClient program;
    private static String job;

    @BeforeAll
    static void start() throws Exception {
        NssStore.needs("Chromium", "chromium", Chromium.PROGRAM);
        ce = new SiteCe("cross-site", "fork", JobAccount.name(), Map.of());
        vera = ce.pki().user("Vera the victim");
        String dn = '"' + DnForms.slash(vera.subject()) + '"';
        Files.writeString(ce.gridmap(), dn + " " + ce.account() + "\n");
        Files.writeString(ce.base().resolve("admins"), dn + "\n");
        ce.start();
        program = HttpClient.newBuilder()
                .sslContext(ce.tls(vera))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        // It waits for its file, so all that is done to it can be seen.
        String made = send("POST", JOBS + "?action=new", HostilePage.JOB + "(inputfiles=(in.txt \"\"))")
                .body();
        job = new ObjectMapper().readTree(made).at("/job/0/id").asText();
        assertThat(job).as(made).isNotEmpty();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static String url() {
        return "https://localhost:" + ce.port();
    }

    private static HttpResponse<String> send(String method, String path, String body) throws Exception {
        return program.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .header("Accept", "application/json")
                        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** All that the page tries to change. */
    private static List<String> state() throws Exception {
        return List.of(
                send("GET", JOBS, null).body(),
                send("POST", JOBS + "?action=status", "{\"job\":[{\"id\":\"" + job + "\"}]}")
                        .body(),
                "input "
                        + send("GET", JOBS + "/" + job + "/session/in.txt", null)
                                .statusCode(),
                send("GET", "/arex/rest/1.0/delegations", null).body(),
                send("GET", BANS, null).body());
    }

    private static int metric(Pattern pattern) throws IOException {
        try (InputStream in = ce.get("/metrics")) {
            return pattern.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .results()
                    .map(m -> (int) Double.parseDouble(m.group(1)))
                    .findFirst()
                    .orElse(0);
        }
    }

    @FunctionalInterface
    private interface Visit {
        /** The browser opens a page. */
        AutoCloseable open(String page) throws Exception;
    }

    private static void nothingHappens(SSLContext sameSite, Visit visit) throws Exception {
        List<String> before = state();
        int refused = metric(REFUSED);
        int read = metric(READ);
        JsonNode results;
        try (HostilePage page = new HostilePage(url(), job, sameSite);
                AutoCloseable browser = visit.open(page.url())) {
            assertThat(browser).isNotNull();
            results = page.results();
        }
        // The browser did send its user's certificate.
        assertThat(metric(READ)).as("lists of the user's jobs").isGreaterThan(read);
        assertThat(results.path("beacon").asText()).isEqualTo("queued");
        for (String blocked : List.of("SOAP", "file", "ban", "delete")) {
            assertThat(results.path(blocked).asText())
                    .as("%s, which the browser asks for first", blocked)
                    .isEqualTo("failed");
        }
        await().until(() -> metric(REFUSED) >= refused + HostilePage.SENT_AT_ONCE);
        assertThat(state()).isEqualTo(before);
        assertThat(metric(REFUSED)).isEqualTo(refused + HostilePage.SENT_AT_ONCE);
    }

    @Test
    @Order(1)
    void aPageElsewhereChangesNothingByChromiumAndTheOwnPageDoes(@TempDir Path home) throws Exception {
        try (BrowserCertificate certificate = new BrowserCertificate(home, vera, url());
                Chromium browser = new Chromium(certificate.environment())) {
            nothingHappens(null, page -> visited(browser, page));
            nothingHappens(ce.tls(ce.pki().host()), page -> visited(browser, page));

            browser.open(url() + "/");
            browser.await("document.body && document.body.dataset.shown === 'hour'");
            String ban = "fetch('" + BANS + "?dn=/CN=nobody', {method: 'PUT'}).then(r => r.status)";
            assertThat(browser.value(ban).asInt()).isEqualTo(200);
            assertThat(send("GET", BANS, null).body()).contains("CN=nobody");
        }
    }

    private static AutoCloseable visited(Chromium browser, String page) {
        browser.open(page);
        return () -> browser.open("about:blank");
    }

    @Test
    @Order(2)
    @Tag("long")
    void aPageElsewhereChangesNothingByFirefox() throws Exception {
        NssStore.needs("Firefox", "firefox-esr", Firefox.PROGRAM);
        nothingHappens(null, page -> new Firefox(ce, vera, page));
    }

    @Test
    @Order(3)
    void aProgramThatSendsTheSameIsServed() throws Exception {
        assertThat(send("POST", "/ce-cream/services/CREAM2", HostilePage.PURGE).statusCode())
                .isEqualTo(200);
        await().until(() -> !send("GET", JOBS, null).body().contains(job));
    }
}
