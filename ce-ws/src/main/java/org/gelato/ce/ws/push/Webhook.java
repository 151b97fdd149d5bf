package org.gelato.ce.ws.push;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.OwnedEvent;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.text.Words;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends all events to one receiver, in order, in batches, by a thread of its own, so that a receiver that hangs delays no other. A
 * batch is repeated until the receiver confirms it by a status of 2xx, at ever longer intervals; then the cursor moves. A receiver
 * gets an event twice when a confirmation was lost, and never misses one, as long as the job is not purged before it is reached.
 */
final class Webhook implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger(Webhook.class);
    private static final int BATCH = 200;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Backoff BACKOFF = new Backoff(TICK.multipliedBy(2), Duration.ofMinutes(5));

    private final Receiver receiver;
    private final EventFeed feed;
    private final EventJson json;
    private final ReceiverCursors cursors;
    private final HttpClient client;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();
    private final Thread thread;
    private volatile long behind;
    private boolean closed;
    private boolean begun;
    private boolean failing;

    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    Webhook(
            Receiver receiver,
            EventFeed feed,
            EventJson json,
            ReceiverCursors cursors,
            HttpClient client,
            Clock clock) {
        this.receiver = receiver;
        this.feed = feed;
        this.json = json;
        this.cursors = cursors;
        this.client = client;
        this.clock = clock;
        thread = new Thread(this::send, "webhook-" + receiver.name());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    String name() {
        return receiver.name();
    }

    /** Deliveries that failed since the start. */
    long failures() {
        return failures.get();
    }

    /** Events that were confirmed. */
    long delivered() {
        return delivered.get();
    }

    /** How far the receiver's cursor is behind the last event, in ids. */
    long behind() {
        return behind;
    }

    private void send() {
        Duration pause = TICK;
        int failed = 0;
        while (sleep(pause)) {
            try {
                boolean more = true;
                while (more && !isClosed()) {
                    more = batch();
                    failed = 0;
                    pause = TICK;
                    if (failing) {
                        log.info("Webhook {}: events are delivered again", receiver.name());
                        failing = false;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException | RuntimeException | Error e) {
                failures.incrementAndGet();
                if (!failing) {
                    log.warn(
                            "Webhook {}: events are not delivered, and are tried again and again: {}",
                            receiver.name(),
                            Words.of(e));
                }
                failing = true;
                pause = BACKOFF.after(++failed);
            }
        }
    }

    /** @return whether there may be more */
    private boolean batch() throws IOException, InterruptedException {
        long to = feed.horizon();
        if (!begun) {
            cursors.begin(receiver.name(), to);
            begun = true;
        }
        OptionalLong last = cursors.lastEvent(receiver.name());
        behind = Math.max(0, to - last.orElse(to));
        if (behind == 0 || !cursors.claim(receiver.name())) {
            return false;
        }
        // Another node may have confirmed more between the two statements.
        long after = cursors.lastEvent(receiver.name()).orElse(to);
        List<OwnedEvent> events = feed.after(EventFeed.ALL_OWNERS, after, to, BATCH);
        int taken = events.isEmpty() ? 0 : deliver(events);
        delivered.addAndGet(taken);
        long id = taken == events.size() && taken < BATCH
                ? to
                : events.get(taken - 1).event().id();
        behind = to - id;
        return cursors.confirmed(receiver.name(), id) && id < to;
    }

    /** Delivers the first events; where the receiver refuses them together fewer, so that it gets those before one that it refuses. */
    private int deliver(List<OwnedEvent> events) throws IOException, InterruptedException {
        for (int first = events.size(); ; first /= 2) {
            try {
                deliver(json.batch(receiver.name(), events.subList(0, first)));
                return first;
            } catch (RefusedException e) {
                if (first == 1) {
                    throw e;
                }
            }
        }
    }

    private void deliver(byte[] body) throws IOException, InterruptedException {
        long seconds = clock.instant().getEpochSecond();
        HttpRequest request = HttpRequest.newBuilder(receiver.url())
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .header(Signature.HEADER, Signature.of(Signature.secret(receiver.secretFile()), seconds, body))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        // What a receiver says beside its status is not read.
        response.body().close();
        if (response.statusCode() / 100 != 2) {
            throw new RefusedException("HTTP status " + response.statusCode() + " instead of 2xx");
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** @return false when all is over */
    private boolean sleep(Duration time) {
        lock.lock();
        try {
            long left = time.toNanos();
            while (!closed && left > 0) {
                left = over.awaitNanos(left);
            }
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            over.signalAll();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
    }

    /** The client for all receivers: redirects are not followed, as another address has no secret. */
    static HttpClient client(SSLContext trust) {
        return HttpClient.newBuilder()
                .sslContext(trust)
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .build();
    }
}
