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
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.OwnedEvent;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends all events to one receiver, in order, in batches, by a thread of its own, so that a receiver that hangs delays no other. A
 * batch is repeated until the receiver confirms it by a status of 2xx, at ever longer intervals; then the cursor moves. An event that the
 * receiver refuses while it takes a later one is set aside, and tried again by itself; the cursor stays before it. A receiver
 * gets an event twice when a confirmation was lost, or the CE ended while one before it was aside, and never misses one that it takes within
 * a day, as long as the job is not purged before it is reached.
 */
final class Webhook implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger(Webhook.class);
    private static final int BATCH = 200;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Backoff BACKOFF = new Backoff(TICK.multipliedBy(2), Duration.ofMinutes(5));

    /** Events that may be aside; with more, what comes waits. */
    private static final int MAX_ASIDE = 1000;

    /** Events aside that are tried again in one batch: with the batch itself they last no longer than a claim. */
    private static final int TRIED_AT_ONCE = 2;

    /** Each try renews the claim, so it does not run out between two. */
    private static final Backoff ASIDE_BACKOFF = new Backoff(BACKOFF.first(), TIMEOUT.multipliedBy(2));

    private static final Duration LONGEST_ASIDE = Duration.ofDays(1);

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
    /** Of the thread, as what follows: events that are tried again by themselves, by id. */
    private final NavigableMap<Long, Postponed> postponed = new TreeMap<>();

    /** The last event that was delivered, or is aside; 0 while another node has the claim. */
    private long reached;

    private volatile long behind;
    private boolean closed;
    private boolean begun;
    private boolean failing;

    /** Times are of {@link System#nanoTime}. */
    private record Postponed(OwnedEvent event, long since, int failures, long due) {}

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
                            Messages.of(e));
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
        behind = Math.max(0, to - Math.max(reached, last.orElse(to)));
        if (behind == 0 && !isPostponedDue()) {
            return false;
        }
        if (!cursors.claim(receiver.name())) {
            leaveToAnotherNode();
            return false;
        }
        // Another node may have confirmed more between the two statements, or while this one's claim had run out.
        long confirmed = cursors.lastEvent(receiver.name()).orElse(to);
        postponed.headMap(confirmed, true).clear();
        reached = Math.max(reached, confirmed);
        retryPostponed();
        List<OwnedEvent> events = feed.after(EventFeed.ALL_OWNERS, reached, to, BATCH);
        int done = events.isEmpty() ? 0 : deliver(events);
        reached = done == events.size() && done < BATCH
                ? to
                : events.get(done - 1).event().id();
        behind = to - reached;
        if (!cursors.confirmed(receiver.name(), postponed.isEmpty() ? reached : postponed.firstKey() - 1)) {
            leaveToAnotherNode();
            return false;
        }
        return reached < to || isPostponedDue();
    }

    /** It goes on from the cursor, and all that is aside here lies behind that. */
    private void leaveToAnotherNode() {
        postponed.clear();
        reached = 0;
    }

    /**
     * Delivers the first events; where the receiver refuses them together fewer, so that it gets those before one that it refuses.
     *
     * @return how many were delivered or set aside
     */
    private int deliver(List<OwnedEvent> events) throws IOException, InterruptedException {
        for (int first = events.size(); first > 1; first /= 2) {
            try {
                deliverTogether(events.subList(0, first));
                return first;
            } catch (RefusedException e) {
                log.debug("Webhook {}: {} events are refused: {}", receiver.name(), first, e.getMessage());
            }
        }
        try {
            deliverTogether(events.subList(0, 1));
            return 1;
        } catch (RefusedException e) {
            return 1 + passOver(events, e);
        }
    }

    /** The first event is refused: sets it aside, and those up to one that is taken, which shows that it is they, and not all. */
    private int passOver(List<OwnedEvent> events, RefusedException why) throws IOException, InterruptedException {
        for (int next = 1; next < events.size() && postponed.size() + next <= MAX_ASIDE; next *= 2) {
            try {
                deliverTogether(events.subList(next, next + 1));
            } catch (RefusedException e) {
                continue;
            }
            if (postponed.isEmpty()) {
                log.warn(
                        "Webhook {}: event {} of job {} is refused ({}) and tried again by itself, for a day; others are delivered",
                        receiver.name(),
                        events.get(0).event().id(),
                        events.get(0).event().job(),
                        why.getMessage());
            }
            long now = System.nanoTime();
            events.subList(0, next).forEach(e -> postponed.put(e.event().id(), new Postponed(e, now, 0, now)));
            return next;
        }
        throw why;
    }

    private boolean isPostponedDue() {
        long now = System.nanoTime();
        return postponed.values().stream().anyMatch(a -> a.due() - now <= 0);
    }

    /** One that breaks off delays the others no longer than that: if it is the receiver that is gone, their delivery shows it. */
    private void retryPostponed() throws InterruptedException {
        long now = System.nanoTime();
        List<Postponed> due = postponed.values().stream()
                .filter(a -> a.due() - now <= 0)
                .limit(TRIED_AT_ONCE)
                .toList();
        for (Postponed one : due) {
            long id = one.event().event().id();
            try {
                deliverTogether(List.of(one.event()));
                postponed.remove(id);
            } catch (RefusedException e) {
                putBack(one);
                if (now - one.since() > LONGEST_ASIDE.toNanos()) {
                    log.warn(
                            "Webhook {}: event {} was refused for a day and is given up: {}",
                            receiver.name(),
                            id,
                            e.getMessage());
                    postponed.remove(id);
                }
            } catch (IOException e) {
                failures.incrementAndGet();
                putBack(one);
                log.debug("Webhook {}: event {} is tried again: {}", receiver.name(), id, Messages.of(e));
                return;
            }
        }
    }

    private void putBack(Postponed one) {
        int tries = one.failures() + 1;
        long due = System.nanoTime() + ASIDE_BACKOFF.after(tries).toNanos();
        postponed.put(one.event().event().id(), new Postponed(one.event(), one.since(), tries, due));
    }

    private void deliverTogether(List<OwnedEvent> events) throws IOException, InterruptedException {
        deliver(json.batch(receiver.name(), events));
        delivered.addAndGet(events.size());
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
