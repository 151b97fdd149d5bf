package org.gelato.ce.ws.push;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.event.OwnedEvent;
import org.gelato.ce.json.ExitCodeNumber;

/** Events as JSON objects on one line, and as Server-Sent Events around them. Thread-safe. */
final class EventJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String baseUrl;
    private final Instant databaseMade;

    /** @param baseUrl {@code https://host:port}, with which job ids start */
    EventJson(String baseUrl, Instant databaseMade) {
        this.baseUrl = baseUrl;
        this.databaseMade = databaseMade;
    }

    String cursor(long id) {
        return EventCursor.text(databaseMade, id);
    }

    /**
     * One event.
     *
     * @param withOwner for readers of the events of all owners
     */
    ObjectNode object(OwnedEvent owned, boolean withOwner) {
        JobEvent event = owned.event();
        ObjectNode json = JSON.createObjectNode()
                .put("cursor", cursor(event.id()))
                .put("id", event.id())
                .put("job", baseUrl + "/" + event.job())
                .put("state", event.status().state().wireName())
                .put("at", event.status().since().toString());
        ExitCodeNumber.put(json, event.status().exitCode());
        put(json, "failureReason", event.status().failureReason());
        put(json, "description", event.status().description());
        put(json, "workerNode", event.workerNode());
        put(json, "gridJobId", event.gridJobId());
        if (withOwner) {
            json.put("dn", owned.dn());
            put(json, "vo", owned.vo());
        }
        return json;
    }

    private static void put(ObjectNode json, String name, String value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    /** One event as a Server-Sent Event, whose id is the cursor after it. */
    byte[] sent(OwnedEvent event, boolean withOwner) {
        // Jackson writes no line ends, and those of a text as \n.
        return ("id: " + cursor(event.event().id()) + "\nevent: state\ndata: " + object(event, withOwner) + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The body that a webhook gets. */
    byte[] batch(String receiver, List<OwnedEvent> events) {
        ObjectNode body = JSON.createObjectNode().put("receiver", receiver);
        var array = body.putArray("events");
        events.forEach(e -> array.add(object(e, true)));
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }
}
