package org.gelato.ce.it.events;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.it.site.SiteCe;

/** A follower as a browser's EventSource is: after each broken connection it comes again with the last id it has. */
public final class EventReader implements AutoCloseable {
    private final SiteCe ce;
    private final HttpClient http;
    private final String query;
    private final Thread thread;
    private final List<Long> ids = new CopyOnWriteArrayList<>();
    private final List<String> data = new CopyOnWriteArrayList<>();
    private volatile InputStream open;
    private volatile boolean closed;
    private final AtomicInteger connections = new AtomicInteger();
    private volatile String last;

    /** @param query of the first and each further request, from {@code ?} on */
    public EventReader(SiteCe ce, HttpClient http, String query) {
        this.ce = ce;
        this.http = http;
        this.query = query;
        thread = new Thread(this::run, "reader");
        thread.setDaemon(true);
        thread.start();
    }

    static HttpResponse<InputStream> request(SiteCe ce, HttpClient http, String method, String query, String last)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + ce.port() + "/events" + query))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofMinutes(2));
        if (last != null) {
            request.header("Last-Event-ID", last);
        }
        return http.send(request.build(), BodyHandlers.ofInputStream());
    }

    private void run() {
        while (!closed) {
            try {
                HttpResponse<InputStream> response = request(ce, http, "GET", query, last);
                open = response.body();
                if (response.statusCode() == 200) {
                    connections.incrementAndGet();
                    read(open);
                }
            } catch (IOException e) {
                // The CE is away; it comes back.
                Thread.onSpinWait();
            } catch (InterruptedException e) {
                return;
            }
            pause();
        }
    }

    private void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void read(InputStream body) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        String id = null;
        for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("data: ")) {
                ids.add(Long.parseLong(id.substring(id.indexOf('-') + 1)));
                data.add(line.substring(6));
            } else if (line.isEmpty() && id != null) {
                last = id;
            }
        }
    }

    /** The ids of events in the order they came. */
    public List<Long> ids() {
        return List.copyOf(ids);
    }

    List<String> data() {
        return List.copyOf(data);
    }

    /** How often it was connected. */
    int connections() {
        return connections.get();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
