package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * pyarcrest of the Python registry against a CE, with a proxy and with a token alone: many jobs in one request, their files, a renewed
 * delegation, removal.
 */
class PyArcRestIT {
    private static final int MANY = 200;
    private static final int SOME = 20;
    private static final SiteIssuer ISSUER = new SiteIssuer("cms");

    private static PythonClient client;
    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        client = PythonClient.of("pyarcrest", "PyArcRest");
        Map<String, Object> settings = new HashMap<>(ISSUER.trust());
        settings.put("gelato.lrms.fork.slots", 16);
        ce = new SiteCe("pyarcrest", "fork", JobAccount.name(), settings);
        ISSUER.map(ce);
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static void run(int jobs, String kind, String... credentials) throws IOException {
        Path directory = Files.createDirectory(ce.base().resolve("pyarcrest-" + kind));
        List<String> arguments = new ArrayList<>(
                List.of("https://localhost:" + ce.port(), directory.toString(), Integer.toString(jobs), kind));
        arguments.addAll(List.of(credentials));
        // With a token the client verifies the CE, by the authorities of the system or those named here.
        JsonNode report = client.run(
                directory,
                Map.of("SSL_CERT_DIR", ce.pki().certificates().toString()),
                arguments.toArray(String[]::new));

        assertThat(report.path("versions").toString()).isEqualTo("[\"1.0\",\"1.1\"]");
        assertThat(report.path("chosen").asText()).isEqualTo("1.1");
        Set<String> ids = new HashSet<>();
        report.path("ids").forEach(id -> ids.add(id.asText()));
        assertThat(ids).hasSize(jobs);
        assertThat(report.path("created").toString()).isEqualTo("[\"ACCEPTING\"]");
        for (String wanted : new String[] {"delegations", "listed", "delegation of all", "own output", "renewed"}) {
            assertThat(report.path(wanted).asBoolean()).as(wanted).isTrue();
        }
        assertThat(report.path("upload errors")).isEmpty();
        assertThat(report.path("download errors")).isEmpty();
        assertThat(report.path("info states").toString()).isEqualTo("[\"FINISHED\"]");
        assertThat(report.path("exit codes").toString()).isEqualTo("[0]");
        assertThat(report.path("queues").toString()).isEqualTo("[\"long\"]");
        assertThat(report.path("diagnosis").asText()).isEqualTo("FINISHED\n");
        assertThat(report.path("delegation of a running job").asInt()).isEqualTo(409);
        assertThat(report.path("cleaned").asInt()).isEqualTo(jobs + 1);
        assertThat(report.path("after clean").toString()).isEqualTo("[404]");
        assertThat(report.path("delegation after deletion").asInt()).isEqualTo(404);
    }

    /** What the client believes to be gone is gone. */
    private static void hasNoJobs(ArcUser user) {
        assertThat(user.json(200, "GET", "/1.0/jobs", null).path("job")).isEmpty();
    }

    @Test
    @Tag("long")
    void manyJobsOfOneRequestByProxy() throws IOException {
        GridCredential proxy = ce.pki().proxy(ce.pki().user("Ann of pyarcrest")).make();
        Path file = ce.base().resolve("pyarcrest.pem");
        ce.pki().proxy(ce.pki().user("Ann of pyarcrest")).write(file);
        run(MANY, "proxy", file.toString());
        hasNoJobs(new ArcUser(ce, proxy));
    }

    /** aCT itself needs a database and PanDA; its calls of pyarcrest are made here in its order. */
    @Test
    void jobsAsActSubmitsThem() throws IOException {
        if (!Files.isDirectory(Path.of("/usr/lib/python3/dist-packages/arc"))) {
            Skipped.because("aCT", "python3-nordugrid-arc is not installed");
        }
        GridCredential proxy = ce.pki().proxy(ce.pki().user("Ben of aCT")).make();
        Path file = ce.base().resolve("act.pem");
        ce.pki().proxy(ce.pki().user("Ben of aCT")).write(file);
        Path directory = Files.createDirectory(ce.base().resolve("act"));
        JsonNode report = client.runScript(
                "act_client.py",
                directory,
                Map.of("X509_CERT_DIR", ce.pki().certificates().toString(), "X509_USER_PROXY", file.toString()),
                "https://localhost:" + ce.port(),
                directory.toString(),
                Integer.toString(SOME),
                file.toString());
        assertThat(report.path("unmatched").asBoolean()).isTrue();
        assertThat(report.path("errors")).isEmpty();
        assertThat(report.path("ids")).hasSize(SOME);
        assertThat(report.path("codes").toString()).isEqualTo("[0]");
        assertThat(report.path("download errors")).isEmpty();
        for (int i = 0; i < SOME; i++) {
            assertThat(report.path("logs").path(i).asText()).isEqualTo("job " + i + "\naCT two words\n");
        }
        assertThat(report.path("heartbeats").asBoolean()).isTrue();
        assertThat(report.path("cleaned").asInt()).isEqualTo(SOME);
        hasNoJobs(new ArcUser(ce, proxy));
    }

    @Test
    void someJobsOfOneRequestByATokenThatIsDelegatedToo() throws IOException {
        run(SOME, "token", ISSUER.token(ce, "ann"), ISSUER.token(ce, "ann"));
        hasNoJobs(new ArcUser(ce, null, ISSUER.token(ce, "ann")));
    }
}
