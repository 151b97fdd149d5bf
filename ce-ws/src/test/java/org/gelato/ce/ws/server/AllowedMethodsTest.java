package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** RFC 9110 section 15.5.6: a 405 names the methods there are; section 9.3.7: OPTIONS does, too. */
class AllowedMethodsTest extends ServerFixture {
    private static final Map<String, String> METHODS = new TreeMap<>(Map.of(
            "/health/live",
            "GET, HEAD, OPTIONS",
            "/health/ready",
            "GET, HEAD, OPTIONS",
            "/metrics",
            "GET, HEAD, OPTIONS",
            OUTPUT + "out",
            "GET, HEAD, PUT, OPTIONS",
            OUTPUT.replace("output", "input") + "in",
            "GET, HEAD, PUT, DELETE, OPTIONS",
            OUTPUT.replace("output", "proxy"),
            "GET, OPTIONS",
            "/ce-cream/wrapper-events",
            "POST, OPTIONS",
            "/ce-cream/wrapper-messages",
            "POST, OPTIONS",
            "/ce-cream/wrapper-claims",
            "POST, OPTIONS"));

    private HttpResponse<String> send(String method, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(path))
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void everyServletNamesItsMethods() throws Exception {
        for (Map.Entry<String, String> resource : METHODS.entrySet()) {
            String path = resource.getKey();
            for (String other : List.of("PATCH", "PROPFIND", resource.getValue().contains("POST") ? "GET" : "POST")) {
                HttpResponse<String> refused = send(other, path);
                assertThat(refused.statusCode()).as(other + " " + path).isEqualTo(405);
                assertThat(refused.headers().allValues("Allow"))
                        .as(other + " " + path)
                        .containsExactly(resource.getValue());
            }
            HttpResponse<String> options = send("OPTIONS", path);
            assertThat(options.statusCode()).as(path).isEqualTo(204);
            assertThat(options.headers().allValues("Allow")).as(path).containsExactly(resource.getValue());
        }
    }
}
