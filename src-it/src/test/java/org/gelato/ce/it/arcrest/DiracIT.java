package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * DIRAC's AREXComputingElement, with a proxy, with a token alone, and with both: pilots are submitted, followed, fetched, killed and
 * removed.
 */
class DiracIT {
    private static final String BOTH = "Bob of DIRAC";
    private static final SiteIssuer ISSUER = new SiteIssuer("cms");

    private static PythonClient client;
    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        client = PythonClient.of("dirac", "Dirac");
        Map<String, Object> settings = new HashMap<>(ISSUER.trust());
        settings.put("gelato.lrms.fork.slots", 4);
        ce = new SiteCe("dirac", "fork", JobAccount.name(), settings);
        ISSUER.map(ce);
        // With AlwaysIncludeProxy DIRAC asks for a delegation by the token, and sends the signed proxy without it.
        ISSUER.declare(ce, "both", ce.pki().user(BOTH), "/dteam");
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static JsonNode run(String kind, Path proxy, String vo, String... credentials) throws IOException {
        Path directory = Files.createDirectory(ce.base().resolve("dirac-" + kind));
        List<String> arguments =
                new ArrayList<>(List.of("localhost", Integer.toString(ce.port()), "nordugrid-fork-long", vo, kind));
        arguments.addAll(List.of(credentials));
        JsonNode report = client.run(
                directory,
                Map.of("X509_CERT_DIR", ce.pki().certificates().toString(), "X509_USER_PROXY", proxy.toString()),
                arguments.toArray(String[]::new));
        assertThat(report.path("references")).hasSize(3);
        assertThat(report.path("references").path(0).asText())
                .startsWith("https://localhost:" + ce.port() + "/arex/CREAM");
        assertThat(report.path("audience").asText()).isEqualTo("https://localhost:" + ce.port());
        assertThat(report.path("sleeper").asText()).isEqualTo("Running");
        assertThat(report.path("running").toString()).isEqualTo("{\"RunningJobs\":\"int\",\"WaitingJobs\":\"int\"}");
        assertThat(report.path("outputs").toString()).isEqualTo("[true,true,true]");
        assertThat(report.path("killed").asText()).isEqualTo("Aborted");
        return report;
    }

    private static void hasRenewedOneDelegation(JsonNode report) {
        assertThat(report.path("delegations").asInt()).isEqualTo(1);
        assertThat(report.path("group").asText()).isEqualTo("pilots");
        assertThat(report.path("renewed").asBoolean()).isTrue();
    }

    private static Path proxy(String name) {
        Path proxy = ce.base().resolve(name + ".pem");
        ce.pki().proxy(ce.pki().user(name)).write(proxy);
        return proxy;
    }

    @Test
    void pilotsWithAProxy() throws IOException {
        Path proxy = proxy("Ann of DIRAC");
        hasRenewedOneDelegation(run("proxy", proxy, "dteam", proxy.toString()));
    }

    @Test
    void pilotsWithATokenAlone() throws IOException {
        JsonNode report = run("token", ce.base().resolve("none"), "cms", ISSUER.token(ce, "pilots"));
        assertThat(report.path("delegations").asInt()).isZero();
    }

    @Test
    @Tag("long")
    void pilotsWithATokenAndTheProxyOfTheSamePerson() throws IOException {
        Path proxy = proxy(BOTH);
        hasRenewedOneDelegation(run("both", proxy, "cms", proxy.toString(), ISSUER.token(ce, "both")));
    }
}
