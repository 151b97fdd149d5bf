package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A client that a generator makes of the OpenAPI document has every operation, and a job runs by it alone. */
@ExtendWith(SharedCe.class)
class OpenApiClientIT {
    @Test
    void aGeneratedClientDelegatesSubmitsAndReadsStates(SiteCe ce, @TempDir Path directory) throws IOException {
        PythonClient python = PythonClient.of("openapi", "openapi-python-client");
        Path document = directory.resolve("openapi.json");
        try (InputStream in = ce.get("/arex/rest/openapi.json")) {
            Files.copy(in, document);
        }
        JsonNode made = python.run(directory, Map.of(), "generate", document.toString(), directory.toString());
        assertThat(made.path("status").asInt()).as(made.path("said").asText()).isZero();
        List<String> operations = new ArrayList<>();
        made.path("operations").forEach(name -> operations.add(name.asText().replace("_", "")));
        assertThat(operations).as(made.path("said").asText()).containsExactlyInAnyOrderElementsOf(documented(document));

        GridCredential proxy =
                ce.pki().proxy(ce.pki().user("Gina of generators")).make();
        String[] site = {
            directory.toString(),
            "https://localhost:" + ce.port() + "/arex/rest",
            proxy.write(directory.resolve("proxy.pem")).toString(),
            ce.pki().writeAuthorities(directory.resolve("ca.pem")).toString()
        };
        JsonNode begun = python.run(directory, Map.of(), words("delegate", site));
        String chain = new DelegationSigner(Clock.systemUTC())
                .sign(proxy, begun.path("request").asText(), Duration.ofHours(2), DelegationSigner.Habit.MODERN);
        JsonNode job = python.run(
                directory,
                Map.of(),
                words(
                        "submit",
                        site,
                        begun.path("id").asText(),
                        Files.writeString(directory.resolve("chain.pem"), chain).toString(),
                        Files.writeString(
                                        directory.resolve("job.xrsl"),
                                        "&(executable=/bin/echo)(arguments=generated)(stdout=out)(queue=long)"
                                                + "(delegationid="
                                                + begun.path("id").asText() + ")")
                                .toString()));
        assertThat(job.path("states").get(job.path("states").size() - 1).asText())
                .as(job.toString())
                .isEqualTo("FINISHED");
        assertThat(job.path("output").asText()).isEqualTo("generated\n");
    }

    private static String[] words(String verb, String[] site, String... more) {
        List<String> words = new ArrayList<>(List.of(verb));
        words.addAll(List.of(site));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    /** In small letters, as generators write names in ways of their own; without PROPFIND, for which OpenAPI 3.0 has no name. */
    private static List<String> documented(Path document) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode path : new ObjectMapper().readTree(document.toFile()).path("paths")) {
            for (String method : List.of("get", "head", "put", "post", "delete")) {
                if (path.has(method)) {
                    names.add(path.path(method).path("operationId").asText().toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }
}
