package org.gelato.ce.cli.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;

/** Follows {@code /events} of a CE: Server-Sent Events over HTTPS. */
public final class HttpsEvents implements LiveEvents {
    private static final String PATH = "/events?from=";
    /** The CE sends a sign of life every 15 s. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final int MAX_LINE = 256 << 10;
    private static final int MAX_REASON = 4096;
    private static final int AHEAD = 1000;
    private static final Set<Integer> NO_SUCH_PAGE = Set.of(404, 405, 501);
    private static final int GONE = 410;
    private static final Set<Integer> PASSING = Set.of(502, 503, 504);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Object END = new Object();

    private final Endpoint endpoint;
    private final InputStream body;
    private final Duration silence;
    /** Lines, a failure, or {@link #END}. */
    private final BlockingQueue<Object> lines = new LinkedBlockingQueue<>(AHEAD);

    private final Thread reader;
    private volatile boolean closed;
    private String dbId;

    private HttpsEvents(Endpoint endpoint, InputStream body, Duration silence) {
        this.endpoint = endpoint;
        this.body = new BufferedInputStream(body);
        this.silence = silence;
        reader = new Thread(this::read, "events of " + endpoint);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Opens a connection.
     *
     * @param cursor of the last event there was
     * @return empty when the CE has no such page: it is an older one, or another software
     * @throws LiveEvents.Restarted when the cursor is of another database
     * @throws ServiceFault when the CE refuses the user
     * @throws ConnectionFailure when it can't be reached, or has no place
     */
    public static Optional<LiveEvents> open(Endpoint endpoint, Access access, Duration timeout, String cursor) {
        return open(endpoint, access, timeout, cursor, SILENCE);
    }

    static Optional<LiveEvents> open(
            Endpoint endpoint, Access access, Duration timeout, String cursor, Duration silence) {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(access.tls())
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.resolve(PATH + cursor))
                .timeout(timeout)
                .header("Accept", "text/event-stream");
        access.headers().forEach(request::header);
        try {
            HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
            boolean events =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
            if (response.statusCode() == 200 && events) {
                return Optional.of(new HttpsEvents(endpoint, response.body(), silence));
            }
            String reason;
            try (InputStream in = response.body()) {
                reason = reason(in.readNBytes(MAX_REASON));
            }
            if (response.statusCode() == 200 || NO_SUCH_PAGE.contains(response.statusCode())) {
                return Optional.empty();
            }
            throw refused(endpoint, response.statusCode(), reason);
        } catch (IOException e) {
            throw TransportErrors.of(endpoint, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(endpoint + ": interrupted", e);
        }
    }

    private static CliException refused(Endpoint endpoint, int status, String reason) {
        String words = reason.isEmpty() ? "HTTP " + status : reason;
        if (status == GONE) {
            return new Restarted(endpoint + ": " + Printable.line(words));
        }
        if (PASSING.contains(status)) {
            return new ConnectionFailure(endpoint + ": " + Printable.line(words), null);
        }
        String kind = status == 401 || status == 403
                ? "AuthorizationFault"
                : status < 500 ? "InvalidArgumentFault" : "GenericFault";
        return new ServiceFault(endpoint, new WireFault(kind, Integer.toString(status), words, null));
    }

    private static String reason(byte[] body) {
        try {
            return JSON.readTree(body).path("error").asText("");
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public String dbId() {
        return dbId;
    }

    @Override
    public EventReport next() throws InterruptedException {
        while (true) {
            Object line = lines.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new ConnectionFailure(
                        endpoint + ": no sign of life from the CE for " + silence.toSeconds() + " s", null);
            }
            if (line == END) {
                return null;
            }
            if (line instanceof IOException e) {
                throw TransportErrors.of(endpoint, e);
            }
            String text = (String) line;
            if (text.startsWith("id: ")) {
                int dash = text.indexOf('-');
                dbId = dash < 0 ? dbId : text.substring("id: ".length(), dash);
            } else if (text.startsWith("data: ")) {
                return event(text.substring("data: ".length()));
            }
        }
    }

    private EventReport event(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            String job = json.path("job").asText();
            String local = job.substring(job.lastIndexOf('/') + 1);
            if (!JobUrl.isLocalId(local) || !json.path("id").canConvertToLong()) {
                throw new CliException(endpoint + ": the CE sent an event without its job or its number");
            }
            return new EventReport(
                    json.path("id").asLong(),
                    local,
                    new StatusReport(
                            json.path("state").asText("UNKNOWN"),
                            Instant.parse(json.path("at").asText()),
                            json.path("exitCode").asText(null),
                            json.path("failureReason").asText(null),
                            json.path("description").asText(null)),
                    json.path("gridJobId").asText(null),
                    json.path("workerNode").asText(null));
        } catch (IOException | DateTimeException e) {
            throw new CliException(endpoint + ": the CE sent an event that can't be read: " + e.getMessage(), e);
        }
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
