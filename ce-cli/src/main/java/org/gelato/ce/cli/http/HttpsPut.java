package org.gelato.ce.cli.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;

/**
 * Uploads files to one CE by HTTPS. It does not send (Expect: 100-continue), because the client of Java 17 waits for ever
 * when the response is a refusal; the CE continues to read for a while instead, so that the reason arrives. Used by one
 * thread.
 */
public final class HttpsPut {
    private static final int SLOWEST = 32 << 10; // bytes per second below which an upload counts as stuck
    private static final int MAX_ERROR_BYTES = 4096;
    /** Of a job's input, and of a session directory. */
    private static final Set<Integer> STORED = Set.of(201, 200);

    /** The file is being written by a request that breaks off just now. */
    private static final int LOCKED = 423;

    private static final int CONFLICT = 409;

    private final Endpoint endpoint;
    private final Duration timeout;
    private final Access access;
    private HttpClient client;

    public HttpsPut(Endpoint endpoint, Access access, Duration timeout) {
        this.endpoint = endpoint;
        this.timeout = timeout;
        this.access = access;
    }

    /**
     * Brings a file, or the rest of one.
     *
     * @param path percent-encoded, starts with a slash
     * @param content opens what comes from the offset on
     * @param from offset of the first byte
     * @param total bytes of the whole file
     * @param checksum of the whole file, as {@link Checksum#header} spells it
     * @param progress receives the number of bytes sent
     * @throws ConnectionFailure when trying again, from where the CE has it, may help
     * @throws CliException when the CE refuses, with its reason
     */
    public void put(
            String path, Supplier<InputStream> content, long from, long total, String checksum, LongConsumer progress) {
        long length = total - from;
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.resolve(path))
                .timeout(timeout.plusSeconds(length / SLOWEST))
                .header("Content-Type", "application/octet-stream")
                .header("Repr-Digest", checksum)
                .PUT(body(content, length, from, progress));
        access.headers().forEach(request::header);
        if (from > 0) {
            request.header("Content-Range", "bytes " + (length == 0 ? "*" : from + "-" + (total - 1)) + "/" + total);
        }
        HttpResponse<InputStream> response = send(request.build());
        try {
            byte[] words = ResponseBody.inTime(response.body(), timeout, body -> body.readNBytes(MAX_ERROR_BYTES));
            if (!STORED.contains(response.statusCode())) {
                throw refused(response, words);
            }
        } catch (IOException e) {
            throw TransportErrors.of(endpoint, e);
        }
    }

    private static BodyPublisher body(Supplier<InputStream> content, long length, long from, LongConsumer progress) {
        return length == 0
                ? BodyPublishers.noBody()
                : BodyPublishers.fromPublisher(
                        BodyPublishers.ofInputStream(() -> new CountedInput(content.get(), from, progress)), length);
    }

    /** Made at the first upload: it has a thread of its own, which most commands do not need. */
    private HttpClient client() {
        if (client == null) {
            client = HttpClient.newBuilder()
                    .sslContext(access.tls())
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(timeout)
                    .build();
        }
        return client;
    }

    private HttpResponse<InputStream> send(HttpRequest request) {
        try {
            return client().send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw TransportErrors.of(endpoint, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(endpoint + ": interrupted", e);
        }
    }

    private CliException refused(HttpResponse<?> response, byte[] body) {
        int status = response.statusCode();
        String type = response.headers().firstValue("Content-Type").orElse("");
        String words = "HTTP " + status + HttpsGet.reason(type, body);
        // A conflict with an offset is about bytes; one without is about the job.
        boolean ofBytes = status == LOCKED
                || (status == CONFLICT
                        && response.headers().firstValue("Upload-Offset").isPresent());
        return ofBytes
                ? new ConnectionFailure(endpoint + ": " + words, null)
                : TransportErrors.of(endpoint, response, words);
    }
}
