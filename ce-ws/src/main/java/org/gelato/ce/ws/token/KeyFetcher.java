package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/** Fetches an issuer's keys over HTTPS: metadata (OpenID Connect Discovery, else RFC 8414), then the set it names. */
final class KeyFetcher {
    private static final int MAX_BYTES = 256 * 1024;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final String WELL_KNOWN = "/.well-known/";

    private final HttpClient client;
    private final Duration timeout;

    /**
     * @param trust which servers are believed
     * @param executor for the work of connections
     * @param timeout of a whole fetch
     */
    KeyFetcher(SSLContext trust, Executor executor, Duration timeout) {
        this.timeout = timeout;
        client = HttpClient.newBuilder()
                .sslContext(trust)
                .executor(executor)
                .version(HttpClient.Version.HTTP_1_1)
                // Follows none from https to http.
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(timeout)
                .build();
    }

    /**
     * The text of the issuer's key set.
     *
     * @throws IOException with what failed, at which address
     */
    byte[] fetch(String issuer) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        URI base = URI.create(issuer);
        String path = base.getRawPath().endsWith("/")
                ? base.getRawPath().substring(0, base.getRawPath().length() - 1)
                : base.getRawPath();
        String server = "https://" + base.getRawAuthority();
        Response metadata = get(URI.create(server + path + WELL_KNOWN + "openid-configuration"), end);
        if (metadata.status() == NOT_FOUND) {
            metadata = get(URI.create(server + WELL_KNOWN + "oauth-authorization-server" + path), end);
        }
        Response keys = get(keySet(metadata, issuer), end);
        return keys.body();
    }

    private static URI keySet(Response metadata, String issuer) throws IOException {
        try {
            JsonNode json = StrictJson.object(metadata.body());
            if (!issuer.equals(json.path("issuer").textValue())) {
                throw new IOException(metadata.from() + " is of another issuer");
            }
            URI keys = URI.create(String.valueOf(json.path("jwks_uri").textValue()));
            if (!"https".equals(keys.getScheme()) || keys.getHost() == null || keys.getRawUserInfo() != null) {
                throw new IOException(metadata.from() + " has no jwks_uri with https");
            }
            return keys;
        } catch (IllegalArgumentException e) {
            throw new IOException(metadata.from() + " is no metadata of an issuer: " + e.getMessage(), e);
        }
    }

    private record Response(URI from, int status, byte[] body) {}

    /** The body of a response 200, or a response 404. */
    private Response get(URI from, long end) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(from)
                .header("Accept", "application/json")
                .build();
        BodyHandler<byte[]> bounded = info -> new BoundedBody();
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, bounded);
        try {
            HttpResponse<byte[]> response = answer.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            int status = response.statusCode();
            boolean metadata = from.getRawPath().endsWith("openid-configuration");
            if (status != OK && !(metadata && status == NOT_FOUND)) {
                throw new IOException(from + " returned the status " + status);
            }
            return new Response(from, status, response.body());
        } catch (TimeoutException e) {
            throw new IOException(from + " took longer than " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(from + ": " + e.getCause(), e);
        } finally {
            answer.cancel(true);
        }
    }

    /** Ends the exchange when the body is too long. */
    private static final class BoundedBody implements BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final List<byte[]> pieces = new ArrayList<>();
        private Flow.Subscription subscription;
        private int length;

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription s) {
            subscription = s;
            s.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] piece = new byte[buffer.remaining()];
                buffer.get(piece);
                length += piece.length;
                if (length > MAX_BYTES) {
                    subscription.cancel();
                    pieces.clear();
                    body.completeExceptionally(new IOException("longer than " + MAX_BYTES + " bytes"));
                    return;
                }
                pieces.add(piece);
            }
        }

        @Override
        public void onError(Throwable problem) {
            body.completeExceptionally(problem);
        }

        @Override
        public void onComplete() {
            ByteBuffer whole =
                    ByteBuffer.allocate(pieces.stream().mapToInt(p -> p.length).sum());
            pieces.forEach(whole::put);
            body.complete(whole.array());
        }
    }
}
