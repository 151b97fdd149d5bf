package org.gelato.ce.ws.push;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.json.ExitCodeNumber;

/** Messages as JSON objects on one line, and as Server-Sent Events around them. Thread-safe. */
final class MessageJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String baseUrl;
    private final Instant databaseMade;

    /** @param baseUrl {@code https://host:port}, with which job ids start */
    MessageJson(String baseUrl, Instant databaseMade) {
        this.baseUrl = baseUrl;
        this.databaseMade = databaseMade;
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    String cursor(long id) {
        return EventCursor.text(databaseMade, id);
    }

    ObjectNode object(Message message) {
        Message.Kind kind = message.kind();
        ObjectNode json = JSON.createObjectNode()
                .put("cursor", cursor(message.id()))
                .put("job", url(message.job()))
                .put("kind", name(kind));
        switch (kind) {
            case TEXT -> json.put("number", message.number());
            case STDOUT, STDERR -> json.put("offset", message.number());
            case NOTICE -> {}
        }
        json.put("sent", message.sent().toString())
                .put("received", message.received().toString());
        if (kind == Message.Kind.TEXT || kind == Message.Kind.NOTICE) {
            json.put("level", message.level().name().toLowerCase(Locale.ROOT));
        }
        if (message.key() != null) {
            json.put("key", message.key());
        }
        // What is no text is replaced; of output the bytes are there, too.
        json.put("text", new String(message.content(), StandardCharsets.UTF_8));
        if ((kind == Message.Kind.STDOUT || kind == Message.Kind.STDERR) && !isText(message.content())) {
            json.put("base64", message.content());
        }
        return json;
    }

    private static String name(Message.Kind kind) {
        return kind == Message.Kind.TEXT ? "message" : kind.name().toLowerCase(Locale.ROOT);
    }

    private static boolean isText(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /**
     * How a job stands, as fields of an object.
     *
     * @param standing null for a job that was removed
     */
    ObjectNode standing(ObjectNode json, JobId job, MessageFeed.Standing standing) {
        json.put("job", url(job));
        if (standing == null) {
            return json.put("removed", true).put("complete", true);
        }
        json.put("state", standing.state().wireName());
        ExitCodeNumber.put(json, standing.exitCode());
        if (standing.failureReason() != null) {
            json.put("failureReason", standing.failureReason());
        }
        return json.put("complete", standing.complete());
    }

    private String url(JobId job) {
        return baseUrl + "/" + job;
    }

    /** One message as a Server-Sent Event, whose id is the cursor after it. */
    byte[] sent(Message message) {
        // Jackson writes no line ends, and those of a text as \n.
        return ("id: " + cursor(message.id()) + "\nevent: " + name(message.kind()) + "\ndata: " + object(message)
                        + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The end of a job's messages. It has no id: the cursor stays. */
    byte[] end(JobId job, MessageFeed.Standing standing) {
        return ("event: end\ndata: " + standing(object(), job, standing) + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
