package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The OpenAPI document says what the CE serves, and no more. */
@ExtendWith(SharedCe.class)
class OpenApiIT {
    private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS");

    private static SiteCe ce;
    private static ArcUser user;
    private static JsonNode document;

    @BeforeAll
    static void start(SiteCe shared) throws IOException {
        ce = shared;
        user = new ArcUser(
                ce, ce.pki().proxy(ce.pki().user("Olga of documents")).make());
        // Without a certificate.
        try (InputStream in = ce.get("/arex/rest/openapi.json")) {
            document = new ObjectMapper().readTree(in);
        }
    }

    private static List<String> paths() {
        List<String> paths = new ArrayList<>();
        document.path("paths").fieldNames().forEachRemaining(paths::add);
        return paths;
    }

    private static String filled(String path, String version) {
        return path.equals("/")
                ? ""
                : path.replace("{version}", version)
                        .replace("{job}", "CREAM000000001")
                        .replace("{path}", "a/b")
                        .replace("{name}", "status")
                        .replace("{delegation}", "unknown");
    }

    @Test
    void everyMethodThatIsServedIsDocumentedAndNoOther() {
        for (String path : paths()) {
            for (String version : List.of("1.0", "1.1")) {
                for (String method : METHODS) {
                    int status = user.send(
                                    method, filled(path, version) + "?action=new", method.equals("PUT") ? "x" : null)
                            .statusCode();
                    boolean documented =
                            document.path("paths").path(path).has(method.toLowerCase(java.util.Locale.ROOT));
                    boolean served = status != 501 && status != 405;
                    // Methods of a file have a meaning on the directory alone in part; an action of another resource is
                    // none here.
                    if (path.endsWith("/session") || path.endsWith("{delegation}")) {
                        served |= documented;
                        documented |= path.endsWith("/session")
                                && List.of("PUT", "DELETE").contains(method);
                    }
                    assertThat(served).as("%s %s: %s", method, path, status).isEqualTo(documented);
                }
            }
        }
    }

    /** OpenAPI 3.0 has no name for it. */
    @Test
    void propfindIsDocumentedWhereItIsServed() {
        for (String path : paths()) {
            assertThat(user.send("PROPFIND", filled(path, "1.0"), null).statusCode() != 501)
                    .as(path)
                    .isEqualTo(document.path("paths")
                            .path(path)
                            .at("/x-additionalOperations/PROPFIND")
                            .isObject());
        }
    }

    private static Set<String> documentedActions(String path) {
        Set<String> actions = new TreeSet<>();
        document.at("/paths/" + path.replace("/", "~1") + "/post/parameters").forEach(parameter -> {
            if (parameter.path("name").asText().equals("action")) {
                parameter.at("/schema/enum").forEach(action -> actions.add(action.asText()));
            }
        });
        return actions;
    }

    /** The refusal of an unknown action names those that there are. */
    @Test
    void everyActionIsDocumentedAndNoOther() {
        for (String path :
                List.of("/{version}/jobs", "/{version}/delegations", "/{version}/delegations/{delegation}")) {
            HttpResponse<String> refusal = user.send("POST", filled(path, "1.1") + "?action=dance", "{\"job\":[]}");
            assertThat(refusal.statusCode()).as(path).isEqualTo(501);
            String named = refusal.body().strip().replaceFirst(".*expected ", "");
            assertThat(documentedActions(path))
                    .as(path)
                    .isEqualTo(new TreeSet<>(Arrays.asList(named.split(", | or "))));
        }
    }

    @Test
    void referencesLeadSomewhere() {
        assertThat(document.path("openapi").asText()).startsWith("3.0");
        List<JsonNode> references = document.findValues("$ref");
        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                document.at(reference.asText().substring(1)).isMissingNode())
                        .as(reference.asText())
                        .isFalse());
    }
}
