package org.gelato.ce.it.history;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** Single requests, none of which is repeated behind the client's back: each has one answer or none. */
final class HttpCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Target> targets;
    private final AtomicInteger sent = new AtomicInteger();

    /** A front end: where it is reached, and TLS as a client of it uses it. */
    record Front(int port, SSLContext tls) {}

    private record Target(int port, HttpClient http) {}

    /** @param fronts get requests by turns */
    HttpCalls(List<Front> fronts) {
        targets = fronts.stream()
                .map(front -> new Target(
                        front.port(),
                        HttpClient.newBuilder()
                                .sslContext(front.tls())
                                .version(HttpClient.Version.HTTP_1_1)
                                .connectTimeout(PATIENCE)
                                .build()))
                .toList();
    }

    /** @param headers names and values by turns */
    HttpResponse<String> send(String method, String path, String body, String... headers) throws IOException {
        Target target = targets.get(Math.floorMod(sent.getAndIncrement(), targets.size()));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://localhost:" + target.port() + path))
                .timeout(PATIENCE)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        try {
            return target.http()
                    .send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
