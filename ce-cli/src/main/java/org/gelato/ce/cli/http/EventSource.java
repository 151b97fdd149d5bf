package org.gelato.ce.cli.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.ServiceFault;

/** Reads Server-Sent Events over HTTPS. Used by one thread; another one, its own, reads the connection. */
final class EventSource implements AutoCloseable {
    /** The CE sends a sign of life every 15 s. */
    static final Duration SILENCE = Duration.ofSeconds(60);

    private static final int MAX_LINE = 256 << 10;
    private static final int MAX_REASON = 4096;
    private static final int AHEAD = 1000;
    private static final int NOT_FOUND = 404;
    private static final Set<Integer> NO_SUCH_PAGE = Set.of(NOT_FOUND, 405, 501);
    private static final int GONE = 410;
    private static final Object END = new Object();

    private final Endpoint endpoint;
    private final InputStream body;
    private final Duration silence;
    /** Lines, a failure, or {@link #END}. */
    private final BlockingQueue<Object> lines = new LinkedBlockingQueue<>(AHEAD);

    private final Thread reader;
    private volatile boolean closed;
    private String lastId;

    /**
     * One event.
     *
     * @param type null for none
     */
    record Event(String type, String data) {}

    private EventSource(Endpoint endpoint, InputStream body, Duration silence) {
        this.endpoint = endpoint;
        this.body = new BufferedInputStream(body);
        this.silence = silence;
        reader = new Thread(this::read, "events of " + endpoint);
        reader.setDaemon(true);
        reader.start();
    }

    static HttpClient client(Access access, Duration timeout) {
        return HttpClient.newBuilder()
                .sslContext(access.tls())
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    static HttpRequest.Builder request(Endpoint endpoint, Access access, Duration timeout, String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(endpoint.resolve(path)).timeout(timeout);
        access.headers().forEach(request::header);
        return request;
    }

    /**
     * Opens a connection.
     *
     * @return empty when the CE has no such page: it is an older one, or another software
     * @throws LiveEvents.Restarted when a cursor is of another database
     * @throws ServiceFault when the CE refuses the user, or does not have the job
     * @throws ConnectionFailure when it can't be reached, or has no place
     */
    static Optional<EventSource> open(
            Endpoint endpoint, Access access, Duration timeout, String path, Duration silence) {
        HttpRequest request = request(endpoint, access, timeout, path)
                .header("Accept", "text/event-stream")
                .build();
        HttpResponse<InputStream> response = send(endpoint, client(access, timeout), request);
        boolean events =
                response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
        if (response.statusCode() == 200 && events) {
            return Optional.of(new EventSource(endpoint, response.body(), silence));
        }
        Optional<CliException> refusal = refusal(endpoint, response, timeout);
        if (response.statusCode() == 200 || refusal.isEmpty()) {
            return Optional.empty();
        }
        throw refusal.get();
    }

    /** @throws CliException when there is no response */
    static HttpResponse<InputStream> send(Endpoint endpoint, HttpClient client, HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw TransportErrors.of(endpoint, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(endpoint + ": interrupted", e);
        }
    }

    /**
     * What a response with another status than the one that was hoped for means; its body is read and closed.
     *
     * @param timeout for the body
     * @return empty when the CE has no such page
     */
    static Optional<CliException> refusal(Endpoint endpoint, HttpResponse<InputStream> response, Duration timeout) {
        String reason;
        try {
            byte[] body = ResponseBody.inTime(response.body(), timeout, in -> in.readNBytes(MAX_REASON));
            reason = RefusalText.of("application/json", body);
        } catch (IOException e) {
            return Optional.of(TransportErrors.of(endpoint, e));
        }
        // What the CE's own pages refuse has a code.
        return TransportErrors.fault(response) == null && NO_SUCH_PAGE.contains(response.statusCode())
                ? Optional.empty()
                : Optional.of(refused(endpoint, response, reason));
    }

    private static CliException refused(Endpoint endpoint, HttpResponse<?> response, String reason) {
        CliException refused = TransportErrors.of(endpoint, response, reason);
        return response.statusCode() == GONE ? new LiveEvents.Restarted(refused.getMessage()) : refused;
    }

    /** The id of the last event, or sign of life, that came whole; null before the first. */
    String lastId() {
        return lastId;
    }

    /**
     * Waits for the next event.
     *
     * @return null at the end
     * @throws ConnectionFailure when the connection broke, or the CE gave no sign of life for long
     */
    Event next() throws InterruptedException {
        String id = null;
        String type = null;
        String data = null;
        while (true) {
            String line = nextLine();
            if (line == null) {
                return null;
            }
            if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("event: ")) {
                type = line.substring("event: ".length());
            } else if (line.startsWith("data: ")) {
                data = line.substring("data: ".length());
            } else if (line.isEmpty()) {
                // An event that is not whole does not count.
                lastId = id == null ? lastId : id;
                if (data != null) {
                    return new Event(type, data);
                }
                id = null;
                type = null;
            }
        }
    }

    private String nextLine() throws InterruptedException {
        Object line = lines.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null) {
            throw new ConnectionFailure(
                    endpoint + ": no sign of life from the CE for " + silence.toSeconds() + " s", null);
        }
        if (line instanceof IOException e) {
            throw TransportErrors.of(endpoint, e);
        }
        return line == END ? null : (String) line;
    }

    private void read() {
        try {
            String line = line();
            while (line != null && !closed) {
                lines.put(line);
                line = line();
            }
            lines.put(END);
        } catch (IOException e) {
            if (!closed) {
                report(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report(IOException e) {
        try {
            lines.put(e);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return null at the end */
    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b = body.read();
        while (b >= 0 && b != '\n') {
            if (line.size() >= MAX_LINE) {
                throw new IOException("a line of events is longer than " + MAX_LINE + " bytes");
            }
            line.write(b);
            b = body.read();
        }
        return b < 0 ? null : line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        reader.interrupt();
        try {
            body.close();
        } catch (IOException e) {
            // Nothing is read from it any more.
            closed = true;
        }
    }
}
