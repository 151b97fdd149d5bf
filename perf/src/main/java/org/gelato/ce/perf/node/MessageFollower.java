package org.gelato.ce.perf.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.perf.measure.Latencies;

/**
 * A client that follows the messages of all its jobs, on a thread of its own, and compares each with what the job must have sent. When its
 * connection ends it comes again with the id of the last message it took.
 */
public final class MessageFollower implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int OK = 200;
    private static final String NUMBER = "\"number\":";
    private static final int SECONDS = "2026-11-25T14:00:00".length();
    private static final int NANO_DIGITS = 9;

    private final HttpClient http;
    private final URI uri;
    private final Clock clock;
    private final Latencies stored;
    private final Latencies firstSecond;
    private final Latencies latencies;
    private final Map<Integer, Long> last = new HashMap<>();
    private final Thread thread;
    /** A message has two times, which are seldom of the same second. */
    private final Times sentTimes = new Times();

    private final Times receivedTimes = new Times();
    private String cursor;
    private long received;
    private long doubled;
    private long missing;
    private long wrong;
    private String failure;
    private boolean connected;
    private volatile boolean closed;
    private InputStream open;

    /** What was seen until now. */
    public record Seen(long received, long doubled, long missing, long wrong, String failure, boolean connected) {}

    /**
     * @param uri of the stream
     * @param stored gets the times of messages from job to CE, by one clock
     * @param firstSecond gets those from job to here of what jobs send in their first second
     * @param latencies gets those of all messages
     */
    public MessageFollower(
            HttpClient http, URI uri, Clock clock, Latencies stored, Latencies firstSecond, Latencies latencies) {
        this.http = http;
        this.uri = uri;
        this.clock = clock;
        this.stored = stored;
        this.firstSecond = firstSecond;
        this.latencies = latencies;
        thread = new Thread(this::follow, "follower");
        thread.setDaemon(true);
        thread.start();
    }

    private void follow() {
        while (!closed) {
            try {
                connect();
            } catch (IOException e) {
                note(e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            // As a client does whose connection was refused or has ended; there is nothing here that could be waited
            // for.
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void connect() throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "text/event-stream");
        if (cursor != null) {
            request.header("Last-Event-ID", cursor);
        }
        HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        synchronized (this) {
            open = response.body();
            connected = response.statusCode() == OK;
        }
        if (response.statusCode() != OK) {
            note("HTTP " + response.statusCode());
        }
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            String id = null;
            String data = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring("id: ".length());
                } else if (line.startsWith("data: ")) {
                    data = line.substring("data: ".length());
                } else if (line.isEmpty()) {
                    cursor = id == null ? cursor : id;
                    if (data != null) {
                        take(data);
                    }
                    data = null;
                }
            }
        }
    }

    private synchronized void note(String what) {
        if (!closed) {
            failure = what;
        }
    }

    /**
     * Looks into the JSON text for what is compared, as a reader of a whole tree would use the processors that the CE has to share with it.
     *
     * @param json an object with the fields of docs/user/live.md in its order; other fields hold no quotation mark
     */
    private synchronized void take(String json) {
        if (!field(json, "kind").equals("message")) {
            wrong++;
            return;
        }
        String url = field(json, "job");
        int job = JobId.parse(url.substring(url.lastIndexOf('/') + 1))
                .orElseThrow()
                .number();
        int at = json.indexOf(NUMBER) + NUMBER.length();
        long number = Long.parseLong(json, at, json.indexOf(',', at), 10);
        long before = last.getOrDefault(job, 0L);
        if (number <= before) {
            doubled++;
            return;
        }
        missing += number - before - 1;
        last.put(job, number);
        received++;
        if (!MessageText.is(field(json, "text"), job, number)) {
            wrong++;
        }
        Instant sent = sentTimes.parse(field(json, "sent"));
        stored.add(Duration.between(sent, receivedTimes.parse(field(json, "received")))
                .toNanos());
        long nanos = Duration.between(sent, clock.instant()).toNanos();
        latencies.add(nanos);
        if (number <= MessageProfile.FIRST) {
            firstSecond.add(nanos);
        }
    }

    /** Times as {@link Instant} writes them: of each second only the first is parsed. */
    private static final class Times {
        private String second;
        private Instant begins;

        Instant parse(String text) {
            if (second == null || !text.startsWith(second)) {
                second = text.substring(0, SECONDS);
                begins = Instant.parse(second + "Z");
            }
            int nanos = 0;
            for (int i = 1; i <= NANO_DIGITS; i++) {
                char digit = SECONDS + i < text.length() ? text.charAt(SECONDS + i) : '0';
                nanos = nanos * 10 + (digit == 'Z' ? 0 : digit - '0');
            }
            return begins.plusNanos(nanos);
        }
    }

    private static String field(String json, String name) {
        String before = '"' + name + "\":\"";
        int at = json.indexOf(before) + before.length();
        return json.substring(at, json.indexOf('"', at));
    }

    /** What this follower has seen. */
    public synchronized Seen seen() {
        return new Seen(received, doubled, missing, wrong, failure, connected);
    }

    /** Messages of jobs that were sent and not seen, when all was said. */
    public synchronized long lost(Map<Integer, Long> written) {
        long lost = missing;
        for (Map.Entry<Integer, Long> job : written.entrySet()) {
            lost += Math.max(0, job.getValue() - last.getOrDefault(job.getKey(), 0L));
        }
        return lost;
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            if (open != null) {
                try {
                    open.close();
                } catch (IOException e) {
                    // It was the client's to end.
                }
            }
        }
        thread.interrupt();
    }
}
