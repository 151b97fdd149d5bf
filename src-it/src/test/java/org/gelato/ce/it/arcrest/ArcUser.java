package org.gelato.ce.it.arcrest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.GridCredential;

/** A user who speaks ARC REST with a proxy, a bearer token, or both. */
final class ArcUser {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final SiteCe ce;
    private final GridCredential proxy;
    private final String token;
    private final HttpClient http;

    ArcUser(SiteCe ce, GridCredential proxy) {
        this(ce, proxy, null);
    }

    /** Either may be null. */
    ArcUser(SiteCe ce, GridCredential proxy, String token) {
        this.ce = ce;
        this.proxy = proxy;
        this.token = token;
        http = HttpClient.newBuilder()
                .sslContext(ce.tls(proxy))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + ce.port() + "/arex/rest" + path))
                .timeout(PATIENCE)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return http.send(
                    (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The answer as JSON, which must have this status. */
    JsonNode json(int status, String method, String path, String body) {
        HttpResponse<String> response = send(method, path, body, "Accept", "application/json");
        if (response.statusCode() != status) {
            throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new IllegalStateException(response.body(), e);
        }
    }

    /** What each of the jobs is answered. */
    JsonNode act(String action, List<String> ids) {
        String list = String.join(
                ",", ids.stream().map(id -> "{\"id\":\"" + id + "\"}").toList());
        return json(201, "POST", "/1.0/jobs?action=" + action, "{\"job\":[" + list + "]}")
                .path("job");
    }

    /** Delegates the proxy; returns the delegation's id. */
    String delegate() {
        HttpResponse<String> request = send("POST", "/1.0/delegations?action=new", "");
        String location = request.headers().firstValue("location").orElseThrow();
        String id = location.substring(location.lastIndexOf('/') + 1);
        String chain = new DelegationSigner(Clock.systemUTC())
                .sign(proxy, request.body(), Duration.ofHours(2), DelegationSigner.Habit.MODERN);
        HttpResponse<String> put = send("PUT", "/1.0/delegations/" + id, chain);
        if (put.statusCode() != 200) {
            throw new AssertionError(put.statusCode() + " " + put.body());
        }
        return id;
    }

    /** Submits one job; returns its id. */
    String submit(String description) {
        JsonNode job = json(201, "POST", "/1.0/jobs?action=new", description)
                .path("job")
                .path(0);
        if (!job.path("status-code").asText().equals("201")) {
            throw new AssertionError(job.toString());
        }
        return job.path("id").asText();
    }

    String state(String id) {
        return act("status", List.of(id)).path(0).path("state").asText();
    }

    void await(String id, String state) {
        Awaitility.await(id + " becomes " + state)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    String now = state(id);
                    if (!now.equals(state)
                            && List.of("FINISHED", "FAILED", "KILLED").contains(now)) {
                        throw new AssertionError(id + " is " + now + ": "
                                + send("GET", "/1.0/jobs/" + id + "/diagnose/errors", null)
                                        .body());
                    }
                    return now.equals(state);
                });
    }
}
