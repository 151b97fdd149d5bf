package org.gelato.ce.cli.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.StatusReport;

/** Follows {@code /events} of a CE: Server-Sent Events over HTTPS. */
public final class HttpsEvents implements LiveEvents {
    private static final String PATH = "/events";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Endpoint endpoint;
    private final EventSource source;

    private HttpsEvents(Endpoint endpoint, EventSource source) {
        this.endpoint = endpoint;
        this.source = source;
    }

    /**
     * Opens a connection.
     *
     * @param cursor of the last event there was; null for events from now on
     * @return empty when the CE has no such page: it is an older one, or another software
     * @throws LiveEvents.Restarted when the cursor is of another database
     * @throws ServiceFault when the CE refuses the user
     * @throws ConnectionFailure when it can't be reached, or has no place
     */
    public static Optional<LiveEvents> open(Endpoint endpoint, Access access, Duration timeout, String cursor) {
        return open(endpoint, access, timeout, cursor, EventSource.SILENCE);
    }

    static Optional<LiveEvents> open(
            Endpoint endpoint, Access access, Duration timeout, String cursor, Duration silence) {
        return EventSource.open(endpoint, access, timeout, cursor == null ? PATH : PATH + "?from=" + cursor, silence)
                .map(source -> new HttpsEvents(endpoint, source));
    }

    @Override
    public String dbId() {
        String id = source.lastId();
        int dash = id == null ? -1 : id.indexOf('-');
        return dash < 0 ? null : id.substring(0, dash);
    }

    @Override
    public EventReport next() throws InterruptedException {
        EventSource.Event event = source.next();
        return event == null ? null : event(event.data());
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

    @Override
    public void close() {
        source.close();
    }
}
