package org.gelato.ce.it.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who was refused and who did what, as a site's security contact reads it afterwards. */
class AuditIT {
    private static final String SECRET = "planted-secret-of-a-description";
    private static final String EXPLAIN = "/ce-cream/admin/explain?dn=CN=x";

    private static final Pattern OPERATING = Pattern.compile(" (EmbeddedMariaDb|MariaDbInstall|MariaDbProcess|"
            + "GridmapAuthorizer|GridFtp|CeServer|Main|AdmissionController|ProxyTrustManager|SchemaMigration): ");

    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        ce = new SiteCe("audit", "fork", JobAccount.name(), Map.of());
        Files.writeString(ce.base().resolve("ban"), '"' + dn("Mallory of audit", true) + "\"\n");
        Files.writeString(ce.base().resolve("admins"), '"' + dn("Adam of audit", true) + "\"\n");
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static String dn(String user, boolean slash) {
        String dn = DnForms.rfc2253(ce.pki().user(user).x509().getCertificate().getSubjectX500Principal());
        return slash ? DnForms.slash(dn) : dn;
    }

    private static Path file() {
        return ce.base().resolve("state").resolve("audit.log");
    }

    private static List<JsonNode> lines(String event, String field, String value) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String text : Files.readAllLines(file())) {
            JsonNode line = new ObjectMapper().readTree(text);
            if (line.path("event").asText().equals(event)
                    && line.path(field).asText().equals(value)) {
                lines.add(line);
            }
        }
        return lines;
    }

    @Test
    void wholeLifeOfAJobIsWrittenWithoutItsSecrets() throws IOException {
        SiteUser ann = ce.user("Ann of audit");
        String dn = dn("Ann of audit", false);
        String job = ann.submit(
                "[ Executable = \"/bin/sleep\"; Arguments = \"600\"; Environment = { \"TOKEN=" + SECRET + "\" }; ]");
        ann.await(job, "REALLY-RUNNING");
        String batchId =
                lines("handed-over", "job", local(job)).get(0).path("batch-id").asText();
        assertThat(batchId).isNotEmpty();
        ann.must("", "cancel", job);
        ann.await(job, "CANCELLED");
        ann.must("", "purge", job);

        assertThat(lines("end", "job", local(job))).singleElement().satisfies(line -> {
            assertThat(line.path("state").asText()).isEqualTo("CANCELLED");
            assertThat(line.path("batch-id").asText()).isEqualTo(batchId);
            assertThat(line.path("dn").asText()).isEqualTo(dn);
            assertThat(line.path("fqan").asText()).isEqualTo("/dteam");
            assertThat(line.path("account").asText()).isEqualTo(ce.account());
            assertThat(line.path("reason").asText()).isNotEmpty();
        });
        assertThat(lines("mapped", "dn", dn)).hasSize(1);
        assertThat(lines("delegation-put", "dn", dn)).hasSize(1);
        for (String event : List.of("register", "start", "cancel", "purge")) {
            assertThat(lines(event, "dn", dn)).as(event).singleElement().satisfies(line -> {
                assertThat(line.path("job").asText()).endsWith(local(job));
                assertThat(line.path("fqan").asText()).isEqualTo("/dteam");
                assertThat(line.path("account").asText()).isEqualTo(ce.account());
                assertThat(line.path("address").asText()).isEqualTo("127.0.0.1");
                assertThat(line.path("credential").asText()).matches("[0-9a-f]{64}");
                assertThat(line.path("request").asText()).matches("[0-9a-f]{16}");
                assertThat(line.path("time").asText()).matches("[-0-9]+T[0-9:]{8}\\.[0-9]{6}Z");
            });
        }
        // The question of a security contact: who ran this batch job.
        assertThat(lines("handed-over", "batch-id", batchId)).singleElement().satisfies(line -> {
            assertThat(line.path("dn").asText()).isEqualTo(dn);
            assertThat(line.path("account").asText()).isEqualTo(ce.account());
        });
        for (Path log : List.of(file(), ce.log())) {
            assertThat(Files.readString(log)).doesNotContain(SECRET, "BEGIN CERTIFICATE", "PRIVATE KEY");
        }
    }

    private static String local(String job) {
        return job.substring(job.lastIndexOf('/') + 1);
    }

    @Test
    void leasesAndEndsByThemselvesAreWritten() throws IOException {
        SiteUser eve = ce.user("Eve of audit");
        eve.must("", "lease", "set", "mine", "-T", "3600");
        eve.must("", "lease", "delete", "mine");
        String job = eve.submit(SiteUser.shellJob("exit 3"));
        eve.await(job, "DONE-OK");
        String dn = dn("Eve of audit", false);
        assertThat(lines("lease-set", "dn", dn)).hasSize(1);
        assertThat(lines("lease-delete", "dn", dn)).hasSize(1);
        assertThat(lines("end", "job", local(job))).singleElement().satisfies(line -> {
            assertThat(line.path("state").asText()).isEqualTo("DONE-OK");
            assertThat(line.path("exit-code").asText()).isEqualTo("3");
        });
    }

    /** What a site operates by is at INFO, and nothing per job or poll. */
    @Test
    void applicationLogHasNothingPerJob() throws IOException {
        SiteUser dan = ce.user("Dan of audit");
        List<String> jobs = List.of(
                dan.submit(SiteUser.shellJob("true")),
                dan.submit(SiteUser.shellJob("true")),
                dan.submit(SiteUser.shellJob("true")));
        dan.await(jobs, "DONE-OK");
        dan.must("", "purge", jobs.get(0));
        List<String> infos = Files.readAllLines(ce.log()).stream()
                .filter(line -> line.contains(" INFO "))
                .toList();
        assertThat(infos).isNotEmpty().allMatch(line -> OPERATING.matcher(line).find());
    }

    @Test
    void bannedCallerIsNamed() throws IOException {
        assertThat(ce.user("Mallory of audit").run("", "list").exit()).isEqualTo(1);
        assertThat(lines("banned", "dn", dn("Mallory of audit", false))).isNotEmpty();
    }

    @Test
    void administratorsAreNamed() throws IOException {
        SiteUser adam = ce.user("Adam of audit");
        adam.must("", "disable");
        adam.must("", "enable");
        adam.run("", "explain", "--dn", "/CN=Somebody Else");
        adam.must("", "jobs", "--all", "--account", "nobody");
        adam.run("", "whois", "4711");
        String dn = dn("Adam of audit", false);
        assertThat(lines("list-jobs", "dn", dn))
                .extracting(line -> line.path("target").asText())
                .anyMatch(target -> target.contains("account=nobody"))
                .contains("batch=4711");
        assertThat(lines("submission-disabled", "dn", dn)).hasSize(1);
        assertThat(lines("submission-enabled", "dn", dn)).hasSize(1);
        assertThat(lines("explain", "dn", dn))
                .singleElement()
                .satisfies(line -> assertThat(line.path("target").asText()).isEqualTo("/CN=Somebody Else"));
    }

    @Test
    void refusalHasTheIdThatItsResponseHas() throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection)
                URI.create("https://localhost:" + ce.port() + EXPLAIN).toURL().openConnection();
        connection.setSSLSocketFactory(ce.tls(null).getSocketFactory());
        assertThat(connection.getResponseCode()).isEqualTo(403);
        String id = connection.getHeaderField("X-Request-Id");
        assertThat(id).matches("[0-9a-f]{16}");
        assertThat(lines("refused", "request", id)).singleElement().satisfies(line -> {
            assertThat(line.path("reason").asText()).contains("no client certificate");
            assertThat(line.path("address").asText()).isEqualTo("127.0.0.1");
        });
    }

    /** The client gets an alert of TLS and no reason, so the log is the one place that has it. */
    @Test
    void aChainThatIsRefusedInTheHandshakeIsNamedWithTheReason() throws IOException {
        GridCredential tooLong =
                ce.pki().proxy(ce.pki().user("Trudy of audit")).delegations(30).make();
        HttpsURLConnection connection = (HttpsURLConnection)
                URI.create("https://localhost:" + ce.port() + EXPLAIN).toURL().openConnection();
        connection.setSSLSocketFactory(ce.tls(tooLong).getSocketFactory());
        assertThatThrownBy(connection::getResponseCode).isInstanceOf(IOException.class);
        // the name of a proxy ends with its user's
        await("the refusal in the audit log")
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(lines("refused", "reason", "the chain holds 32 certificates"))
                        .isNotEmpty()
                        .allSatisfy(
                                line -> assertThat(line.path("dn").asText()).endsWith(dn("Trudy of audit", false))));
    }
}
