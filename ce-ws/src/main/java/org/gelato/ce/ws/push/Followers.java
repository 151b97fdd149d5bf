package org.gelato.ce.ws.push;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.OwnedEvent;
import org.gelato.ce.ws.http.LiveAnswer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All clients that follow events, served by one thread. A follower is a cursor and a connection: nothing is queued for it.
 * What a client does not take now stays in the database and is read again when it can take more. Followers at the same place are
 * served by the same read. Without followers nothing is read at all.
 *
 * <p>Each round gives every follower a page at most, so a follower with much to catch up delays nobody for longer than one
 * page. Thread-safe.
 */
public final class Followers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Followers.class);
    private static final int PAGE = 100;
    /** The container copies at most so much for a client that does not read. */
    private static final int PAGE_BYTES = 32 << 10;

    /** Of more ids it costs less to read the events of each follower's owner than to find the owners. */
    private static final int MOST_LOOKED_OVER = 10_000;

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    private final EventFeed feed;
    private final EventJson json;
    private final Bounds bounds;
    private final LongSupplier nanos;
    private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> places = new HashMap<>();
    private final AtomicLong cut = new AtomicLong();
    private final Object wake = new Object();
    private boolean woken;
    private boolean closed;
    private Thread thread;
    private boolean failing;
    /** Up to where the events of all owners were seen; only of the thread. */
    private long seen;

    /**
     * What clients may hold.
     *
     * @param most followers at once
     * @param ofOnePerson of these
     * @param stalled how long a client may take nothing before its connection is closed
     * @param silence after which a sign of life is sent
     * @param life after which a connection is ended, so that its client is authorized anew
     */
    public record Bounds(int most, int ofOnePerson, Duration stalled, Duration silence, Duration life) {
        /** The bounds that are not configured are the usual ones. */
        public static Bounds of(int most, int ofOnePerson) {
            return new Bounds(most, ofOnePerson, Duration.ofMinutes(1), Duration.ofSeconds(15), Duration.ofMinutes(10));
        }
    }

    /** There is no place for another follower. */
    static final class Full extends Exception {
        private static final long serialVersionUID = 1L;

        Full(String message) {
            super(message, null, false, false);
        }
    }

    Followers(EventFeed feed, EventJson json, Bounds bounds, LongSupplier nanos) {
        this.feed = feed;
        this.json = json;
        this.bounds = bounds;
        this.nanos = nanos;
    }

    /** Takes a place for a person. {@link #leave} gives it back; {@link #add} does so for a follower that ends. */
    void enter(String person) throws Full {
        synchronized (places) {
            int all = places.values().stream().mapToInt(Integer::intValue).sum();
            int own = places.getOrDefault(person, 0);
            if (own >= bounds.ofOnePerson()) {
                throw new Full("you follow events " + own + " times already; end one of them first");
            }
            if (all >= bounds.most()) {
                throw new Full(all + " clients follow events already; try again later, or query events");
            }
            places.put(person, own + 1);
        }
    }

    void leave(String person) {
        synchronized (places) {
            places.computeIfPresent(person, (who, n) -> n == 1 ? null : n - 1);
        }
    }

    /**
     * Serves a client from now on; it has a place.
     *
     * @param after the id after which events are wanted
     */
    void add(String person, int owner, LiveAnswer answer, long after) {
        followers.add(new Follower(person, owner, answer, after, nanos.getAsLong()));
        synchronized (wake) {
            if (closed) {
                answer.close();
                return;
            }
            if (thread == null) {
                thread = new Thread(this::serve, "event-push");
                thread.setDaemon(true);
                thread.start();
            }
        }
        wake();
    }

    /** Something may be possible that was not: a client can take more, or has gone. */
    void wake() {
        synchronized (wake) {
            woken = true;
            wake.notifyAll();
        }
    }

    /** Clients that follow now. */
    public int size() {
        return followers.size();
    }

    /** Clients that were cut because they did not read. */
    public long cut() {
        return cut.get();
    }

    private void serve() {
        while (await()) {
            try {
                round();
                failing = false;
            } catch (RuntimeException e) {
                if (!failing) {
                    log.warn("Events are not pushed now, and followers wait: {}", e.toString());
                }
                failing = true;
                if (!Database.isFailure(e)) {
                    log.debug("A round of events failed", e);
                }
            }
        }
        followers.forEach(f -> f.answer.close());
    }

    /** @return false when all is over */
    private boolean await() {
        long end = nanos.getAsLong() + (failing ? AFTER_FAILURE : TICK).toNanos();
        synchronized (wake) {
            try {
                while (!closed && (followers.isEmpty() || ((!woken || failing) && nanos.getAsLong() < end))) {
                    wake.wait(TICK.toMillis());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            woken = false;
            return !closed;
        }
    }

    private void round() {
        dropEnded();
        if (followers.isEmpty()) {
            return;
        }
        long to = feed.horizon();
        greet();
        boolean more = true;
        while (more && !isClosed()) {
            more = pages(to);
        }
        seen = Math.max(seen, to);
        long now = nanos.getAsLong();
        for (Follower f : followers) {
            if (f.greeted() && now - f.lastTaken() > bounds.silence().toNanos()) {
                f.send(json.alive(f.cursor()), f.cursor(), now);
            }
        }
    }

    private void greet() {
        long now = nanos.getAsLong();
        for (Follower f : followers) {
            if (!f.greeted()) {
                f.send(json.greeting(f.cursor()), f.cursor(), now);
            }
        }
    }

    private boolean isClosed() {
        synchronized (wake) {
            return closed;
        }
    }

    private void dropEnded() {
        long now = nanos.getAsLong();
        List<Follower> gone = new ArrayList<>();
        for (Follower f : followers) {
            boolean stalled = now - f.lastTaken() > bounds.stalled().toNanos();
            if (stalled && !f.answer.ended()) {
                cut.incrementAndGet();
                log.info("A client that follows events is cut, as it takes nothing: {}", f.person);
            }
            if (stalled || now - f.opened > bounds.life().toNanos()) {
                f.answer.close();
            }
            if (f.answer.ended()) {
                gone.add(f);
            }
        }
        for (Follower f : gone) {
            followers.remove(f);
            leave(f.person);
        }
    }

    /** Gives each follower that is behind one page. @return whether one may want another */
    private boolean pages(long to) {
        List<Follower> behind = new ArrayList<>();
        Set<Integer> news = null;
        for (Follower f : followers) {
            if (f.cursor() >= to || !f.greeted() || f.answer.ended()) {
                continue;
            }
            if (f.owner != EventFeed.ALL_OWNERS && f.cursor() == seen && to - seen < MOST_LOOKED_OVER) {
                // Most followers have seen everything, and most owners have nothing new.
                news = news == null ? feed.ownersBetween(seen, to) : news;
                if (!news.contains(f.owner)) {
                    f.skipTo(to);
                    continue;
                }
            }
            behind.add(f);
        }
        behind.sort(Comparator.comparingInt((Follower f) -> f.owner).thenComparingLong(Follower::cursor));
        boolean more = false;
        int at = 0;
        while (at < behind.size()) {
            Follower first = behind.get(at);
            long cursor = first.cursor();
            int end = at + 1;
            while (end < behind.size()
                    && behind.get(end).owner == first.owner
                    && behind.get(end).cursor() == cursor) {
                end++;
            }
            more |= page(behind.subList(at, end), first.owner, cursor, to);
            at = end;
        }
        return more;
    }

    /** Reads a page once and gives it to all that are at its beginning. */
    private boolean page(List<Follower> same, int owner, long cursor, long to) {
        List<OwnedEvent> events = feed.after(owner, cursor, to, PAGE);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int taken = 0;
        long last = cursor;
        while (taken < events.size() && bytes.size() < PAGE_BYTES) {
            OwnedEvent event = events.get(taken++);
            bytes.writeBytes(json.sent(event, owner == EventFeed.ALL_OWNERS));
            last = event.event().id();
        }
        if (taken == events.size() && taken < PAGE) {
            last = to;
        }
        boolean more = false;
        byte[] page = bytes.toByteArray();
        long now = nanos.getAsLong();
        for (Follower f : same) {
            if (page.length == 0) {
                f.skipTo(last);
            } else {
                more |= f.send(page, last, now) && last < to;
            }
        }
        return more;
    }

    @Override
    public void close() {
        synchronized (wake) {
            closed = true;
            wake.notifyAll();
        }
        followers.forEach(f -> f.answer.close());
    }
}
