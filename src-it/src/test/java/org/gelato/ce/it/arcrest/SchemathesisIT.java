package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.token.TestIssuer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests made from the OpenAPI document, valid and invalid ones: none is an error of the CE, and each response is as the document
 * has it. The seed is fixed, so that what fails fails again.
 */
@Tag("long")
class SchemathesisIT {
    private static final String ISSUER = "https://iam.example.org/";
    private static final int EXAMPLES = 8;

    @Test
    void answersAreAsTheDocumentSaysAndNoneIsAnErrorOfTheServer() throws IOException {
        PythonClient client = PythonClient.of("schemathesis", "Schemathesis");
        TestIssuer issuer = TestIssuer.create(ISSUER, Clock.systemUTC());
        Path keys = issuer.writeJwks(Files.createTempFile("issuer", ".json"));
        try (SiteCe ce = new SiteCe(
                "schemathesis",
                "fork",
                JobAccount.name(),
                Map.of(
                        "gelato.tokens.issuers",
                        List.of(Map.of("issuer", ISSUER, "vo", "cms", "keys", keys.toString()))))) {
            Files.writeString(ce.gridmap(), "\"" + ISSUER + ",sam\" " + JobAccount.name() + "\n");
            ce.start();
            Path directory = Files.createDirectory(ce.base().resolve("schemathesis"));
            Path authorities = ce.pki().writeAuthorities(directory.resolve("ca.pem"));
            String token = issuer.token("sam", "https://localhost:" + ce.port())
                    .claim("scope", "compute.read compute.create compute.modify compute.cancel")
                    .sign();
            ArcUser sam = new ArcUser(ce, null, token);
            String job = sam.submit("&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))");
            String location = sam.send("POST", "/1.1/delegations?action=new", "")
                    .headers()
                    .firstValue("location")
                    .orElseThrow();

            JsonNode report = client.run(
                    directory,
                    Map.of(),
                    "https://localhost:" + ce.port() + "/arex/rest/openapi.json",
                    authorities.toString(),
                    token,
                    Integer.toString(EXAMPLES),
                    job,
                    location.substring(location.lastIndexOf('/') + 1));

            assertThat(report.path("failures")).isEmpty();
            assertThat(report.path("operations")).as(report.toString()).hasSize(20);
            // Valid ones reach what they name.
            assertThat(report.at("/statuses/POST ~1{version}~1jobs").has("201"))
                    .as(report.toString())
                    .isTrue();
            assertThat(report.path("requests").asInt()).as(report.toString()).isGreaterThan(200);
            assertThat(Files.readAllLines(ce.log())).noneMatch(line -> line.contains(" ERROR "));
        }
    }
}
