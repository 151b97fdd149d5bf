package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.Test;

/** DIRAC's AREXComputingElement, with a proxy: pilots are submitted, followed, fetched, killed and removed. */
class DiracIT {
    @Test
    void pilots_of_dirac_run_and_are_followed_fetched_and_killed() throws IOException {
        PythonClient client = PythonClient.of("dirac", "Dirac");
        try (SiteCe ce = new SiteCe("dirac", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 4))) {
            ce.start();
            Path directory = Files.createDirectory(ce.base().resolve("dirac"));
            Path proxy = directory.resolve("proxy.pem");
            ce.pki().proxy(ce.pki().user("Ann of DIRAC")).write(proxy);

            JsonNode report = client.run(
                    directory,
                    Map.of("X509_CERT_DIR", ce.pki().certificates().toString(), "X509_USER_PROXY", proxy.toString()),
                    "localhost",
                    Integer.toString(ce.port()),
                    "nordugrid-fork-long",
                    proxy.toString());

            assertThat(report.path("references")).hasSize(3);
            assertThat(report.path("references").path(0).asText())
                    .startsWith("https://localhost:" + ce.port() + "/arex/CREAM");
            assertThat(report.path("delegations").asInt()).isEqualTo(1);
            assertThat(report.path("group").asText()).isEqualTo("dteam_pilot");
            assertThat(report.path("sleeper").asText()).isEqualTo("Running");
            assertThat(report.path("running").toString())
                    .isEqualTo("{\"RunningJobs\":\"int\",\"WaitingJobs\":\"int\"}");
            assertThat(report.path("outputs").toString()).isEqualTo("[true,true,true]");
            assertThat(report.path("killed").asText()).isEqualTo("Aborted");
            assertThat(report.path("renewed").asBoolean()).isTrue();
        }
    }
}
