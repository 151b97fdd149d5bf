package org.gelato.ce.it.history.nemesis;

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
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Single requests, none of which is repeated behind the client's back: each has one answer or none. */
public final class HttpCalls {
    private static final Pattern REFUSED = Pattern.compile("AuthorizationFault|not authorized");
    private static final Pattern ALERT = Pattern.compile("Received fatal alert: .*(certificate|unknown_ca)");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Target> targets;
    private final String token;
    private final AtomicInteger sent = new AtomicInteger();

    /** A front end: where it is reached, and TLS as a client of it uses it. */
    public record Front(int port, SSLContext tls) {}

    private record Target(int port, HttpClient http) {}

    /**
     * Requests of one client.
     *
     * @param fronts get them by turns
     * @param token that they show; null for none
     */
    public HttpCalls(List<Front> fronts, String token) {
        this.token = token;
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

    /** Whether the server ended the handshake for the client's certificate. */
    private static boolean isAlert(IOException e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SSLException
                    && ALERT.matcher(String.valueOf(t.getMessage())).find()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Sends a request.
     *
     * @param headers names and values by turns
     * @throws NotAdmittedException when the credentials are refused: nothing happened
     */
    public HttpResponse<String> send(String method, String path, String body, String... headers) throws IOException {
        Target target = targets.get(Math.floorMod(sent.getAndIncrement(), targets.size()));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://localhost:" + target.port() + path))
                .timeout(PATIENCE)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> response = target.http()
                    .send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
            int status = response.statusCode();
            if (status == 401
                    || status == 403
                    // SOAP keeps its status
                    || response.headers().firstValue("WWW-Authenticate").isPresent()
                    || REFUSED.matcher(response.body()).find()) {
                throw new NotAdmittedException("HTTP " + status + ": " + response.body());
            }
            return response;
        } catch (IOException e) {
            throw isAlert(e) ? new NotAdmittedException(e.toString()) : e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
