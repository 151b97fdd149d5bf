package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.Test;

/** pyarcrest of the Python registry against a CE: many jobs in one request, their files, a renewed delegation, removal. */
class PyArcRestIT {
    private static final int JOBS = 200;

    @Test
    void many_jobs_of_one_request_run_and_are_fetched_and_removed() throws IOException {
        PythonClient client = PythonClient.of("pyarcrest", "PyArcRest");
        try (SiteCe ce = new SiteCe("pyarcrest", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 16))) {
            ce.start();
            Path directory = Files.createDirectory(ce.base().resolve("pyarcrest"));
            GridCredential proxy =
                    ce.pki().proxy(ce.pki().user("Ann of pyarcrest")).make();
            Path file = directory.resolve("proxy.pem");
            ce.pki().proxy(ce.pki().user("Ann of pyarcrest")).write(file);

            JsonNode report = client.run(
                    directory,
                    Map.of(),
                    "https://localhost:" + ce.port(),
                    file.toString(),
                    directory.toString(),
                    Integer.toString(JOBS));

            assertThat(report.path("versions").toString()).isEqualTo("[\"1.0\",\"1.1\"]");
            assertThat(report.path("chosen").asText()).isEqualTo("1.1");
            Set<String> ids = new HashSet<>();
            report.path("ids").forEach(id -> ids.add(id.asText()));
            assertThat(ids).hasSize(JOBS);
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
            assertThat(report.path("cleaned").asInt()).isEqualTo(JOBS + 1);
            assertThat(report.path("after clean").toString()).isEqualTo("[404]");
            assertThat(report.path("delegation after deletion").asInt()).isEqualTo(404);
            // What the client believes to be gone is gone.
            assertThat(new ArcUser(ce, proxy)
                            .json(200, "GET", "/1.0/jobs", null)
                            .path("job"))
                    .isEmpty();
        }
    }
}
