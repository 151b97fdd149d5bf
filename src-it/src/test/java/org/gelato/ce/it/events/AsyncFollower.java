package org.gelato.ce.it.events;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/**
 * A follower of {@code /events} without a thread of its own, so that hundreds cost little. As a browser does, it takes an event
 * when the empty line after it has come, and after each broken connection it comes again with the id of the last event it took.
 */
final class AsyncFollower implements AutoCloseable {
    private final HttpClient http;
    private final URI uri;
    private final Executor later;
    private final List<Long> ids = new ArrayList<>();
    private String cursor;
    private int resumed;
    private boolean closed;
    private CompletableFuture<?> open;

    /**
     * Begins to follow.
     *
     * @param uri of the first and each further request
     * @param later runs what is to be done after a pause
     */
    AsyncFollower(HttpClient http, URI uri, Executor later) {
        this.http = http;
        this.uri = uri;
        this.later = later;
        connect();
    }

    private synchronized void connect() {
        if (closed) {
            return;
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(2));
        if (cursor != null) {
            request.header("Last-Event-ID", cursor);
        }
        open = http.sendAsync(request.build(), this::body);
        // Whatever ended it: the CE was killed, is not there, or ended the connection as it does after some minutes.
        open.whenComplete((response, failure) -> later.execute(this::connect));
    }

    private synchronized BodySubscriber<Void> body(ResponseInfo response) {
        if (response.statusCode() != 200) {
            return BodySubscribers.discarding();
        }
        if (cursor != null) {
            resumed++;
        }
        return BodySubscribers.fromLineSubscriber(new Lines());
    }

    private synchronized void take(String id, boolean event) {
        cursor = id;
        if (event) {
            ids.add(Long.parseLong(id.substring(id.indexOf('-') + 1)));
        }
    }

    /** The lines of one connection. */
    private final class Lines implements Flow.Subscriber<String> {
        private String id;
        private boolean data;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("data: ")) {
                data = true;
            } else if (line.isEmpty() && id != null) {
                take(id, data);
                id = null;
                data = false;
            }
        }

        @Override
        public void onError(Throwable failure) {
            // What was not complete comes again.
        }

        @Override
        public void onComplete() {
            // As after a failure.
        }
    }

    /** The ids of events in the order they came. */
    synchronized List<Long> ids() {
        return List.copyOf(ids);
    }

    synchronized int size() {
        return ids.size();
    }

    /** Whether it has been answered. */
    synchronized boolean isConnected() {
        return cursor != null;
    }

    /** How often it was answered when it came with a cursor. */
    synchronized int resumed() {
        return resumed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        open.cancel(true);
    }
}
