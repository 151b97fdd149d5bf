package org.gelato.ce.cli.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobNaming;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.StatusReport;

/** Reads {@code /messages} and {@code /jobs} of a CE over HTTPS. */
public final class HttpsMessages implements MessageCalls {
    private static final int NO_CONTENT = 204;
    private static final int CONFLICT = 409;
    /** A page has some megabytes at most. */
    private static final int MAX_BYTES = 32 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Endpoint endpoint;
    private final Access access;
    private final Duration timeout;
    private HttpClient client;

    public HttpsMessages(Endpoint endpoint, Access access, Duration timeout) {
        this.endpoint = endpoint;
        this.access = access;
        this.timeout = timeout;
    }

    @Override
    public boolean wantOutput(String localId) {
        HttpResponse<InputStream> response =
                send(EventSource.request(endpoint, access, timeout, "/jobs/" + localId + "/live-output")
                        .POST(BodyPublishers.noBody())
                        .build());
        if (response.statusCode() == NO_CONTENT || response.statusCode() == CONFLICT) {
            drop(response);
            return response.statusCode() == NO_CONTENT;
        }
        throw refusal(response);
    }

    @Override
    public Page page(Query query, String after, int limit, Consumer<Report> reader) {
        JsonNode page = read(path(query, after) + "&limit=" + limit);
        page.path("messages").forEach(message -> reader.accept(report(message)));
        String next = page.path("next").asText();
        if (next.isEmpty()) {
            throw new CliException(endpoint + ": the CE sent messages without a cursor");
        }
        return new Page(next, page.path("more").asBoolean());
    }

    @Override
    public Map<String, Map<String, String>> labels(JobNaming wanted) {
        StringJoiner parameters = new StringJoiner("&");
        if (wanted.name() != null) {
            parameters.add("name=" + encoded(wanted.name()));
        }
        wanted.labels().forEach(label -> parameters.add("label=" + encoded(label)));
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        String next = "";
        do {
            JsonNode page = read("/jobs?" + parameters + next);
            for (JsonNode job : page.path("jobs")) {
                Map<String, String> labels = new LinkedHashMap<>();
                job.path("labels")
                        .properties()
                        .forEach(label ->
                                labels.put(label.getKey(), label.getValue().asText()));
                found.put(
                        JobUrl.parse(job.path("id").asText(), Optional.empty()).localId(), labels);
            }
            next = page.has("next") ? "&after=" + encoded(page.path("next").asText()) : "";
        } while (!next.isEmpty());
        return found;
    }

    @Override
    public void latest(Query query, Consumer<Report> reader) {
        String job = query.jobs().get(0);
        String path = filtered("/jobs/" + job + "/messages", query, new StringJoiner("&").add("latest=true"));
        read(path).path("messages").forEach(message -> reader.accept(report(message)));
    }

    @Override
    public Live live(Query query, String after) {
        EventSource source = EventSource.open(endpoint, access, timeout, path(query, after), EventSource.SILENCE)
                .orElseThrow(this::older);
        return new Connection(source);
    }

    private static String path(Query query, String after) {
        StringJoiner parameters = new StringJoiner("&").add("after=" + encoded(after));
        query.jobs().forEach(job -> parameters.add("job=" + job));
        if (query.jobs().isEmpty()) {
            parameters.add("scope=" + encoded(query.scope()));
        }
        return filtered("/messages", query, parameters);
    }

    private static String filtered(String path, Query query, StringJoiner parameters) {
        query.keys().forEach(key -> parameters.add("key=" + encoded(key)));
        if (query.level() != null) {
            parameters.add("level=" + encoded(query.level()));
        }
        return path + "?" + parameters.add("output=" + query.output());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private JsonNode read(String path) {
        HttpResponse<InputStream> response = send(EventSource.request(endpoint, access, timeout, path)
                .header("Accept", "application/json")
                .build());
        if (response.statusCode() != 200) {
            throw refusal(response);
        }
        byte[] body;
        try {
            body = ResponseBody.inTime(response.body(), timeout, in -> in.readNBytes(MAX_BYTES + 1));
        } catch (IOException e) {
            throw TransportErrors.of(endpoint, e);
        }
        if (body.length > MAX_BYTES) {
            throw new CliException(endpoint + ": the CE's response is larger than " + MAX_BYTES + " bytes");
        }
        return json(body);
    }

    private HttpResponse<InputStream> send(HttpRequest request) {
        client = client == null ? EventSource.client(access, timeout) : client;
        return EventSource.send(endpoint, client, request);
    }

    private CliException refusal(HttpResponse<InputStream> response) {
        return EventSource.refusal(endpoint, response, timeout).orElseGet(this::older);
    }

    private CliException older() {
        return new CliException(
                endpoint + ": this CE has no messages of jobs: it is an older one, or another software");
    }

    private void drop(HttpResponse<InputStream> response) {
        try {
            ResponseBody.inTime(response.body(), timeout, in -> in.readNBytes(MAX_BYTES));
        } catch (IOException e) {
            throw TransportErrors.of(endpoint, e);
        }
    }

    private JsonNode json(byte[] text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw unreadable(e.getMessage(), e);
        }
    }

    private CliException unreadable(String why, Exception cause) {
        return new CliException(endpoint + ": the CE sent messages that can't be read: " + why, cause);
    }

    private Report report(JsonNode json) {
        try {
            byte[] content = json.has("base64")
                    ? json.path("base64").binaryValue()
                    : json.path("text").asText().getBytes(StandardCharsets.UTF_8);
            return new Report(
                    json.path("cursor").asText(),
                    localId(json),
                    json.path("kind").asText(),
                    json.has("offset")
                            ? json.path("offset").asLong()
                            : json.path("number").asLong(),
                    Instant.parse(json.path("sent").asText()),
                    json.path("level").asText(null),
                    json.path("key").asText(null),
                    content,
                    json);
        } catch (IOException | DateTimeException e) {
            throw unreadable(e.getMessage(), e);
        }
    }

    private String localId(JsonNode json) {
        String job = json.path("job").asText();
        String local = job.substring(job.lastIndexOf('/') + 1);
        if (!JobUrl.isLocalId(local)) {
            throw unreadable("one has no job", null);
        }
        return local;
    }

    private End end(JsonNode json) {
        String state = json.path("removed").asBoolean()
                ? "REMOVED"
                : json.path("state").asText("UNKNOWN");
        return new End(
                localId(json),
                new StatusReport(
                        state,
                        null,
                        json.path("exitCode").asText(null),
                        json.path("failureReason").asText(null),
                        null),
                json);
    }

    private final class Connection implements Live {
        private static final List<String> KINDS = List.of("message", "stdout", "stderr", "notice");
        private final EventSource source;

        Connection(EventSource source) {
            this.source = source;
        }

        @Override
        public Item next() throws InterruptedException {
            while (true) {
                EventSource.Event event = source.next();
                if (event == null) {
                    return null;
                }
                if ("end".equals(event.type())) {
                    return end(json(event.data().getBytes(StandardCharsets.UTF_8)));
                }
                // A later CE may have events of other kinds.
                if (KINDS.contains(event.type())) {
                    return report(json(event.data().getBytes(StandardCharsets.UTF_8)));
                }
            }
        }

        @Override
        public String cursor() {
            return source.lastId();
        }

        @Override
        public void close() {
            source.close();
        }
    }
}
