package org.gelato.ce.ws.push;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fault.SharedWork;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.http.LiveResponse;
import org.gelato.ce.ws.http.PerUserLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All clients that follow one kind of events, served by one thread. A follower is a cursor and a connection: nothing is queued for
 * it. What a client does not take now stays in the database and is read again when it can take more. Followers at the same place
 * are served by the same read. Without followers nothing is read at all.
 *
 * <p>Each turn gives every follower a page at most, so a follower with much to catch up delays nobody for longer than one
 * page. Thread-safe.
 *
 * @param <S> what a client selects of them
 */
public final class Followers<S> implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Followers.class);

    /** Of more ids it costs less to read the events of each follower's owner than to find the owners. */
    private static final int MAX_LOOKED_OVER = 10_000;

    /** Then the horizon is read again, so that others get what happened while one catches up. */
    private static final int PAGES_OF_A_ROUND = 16;

    private static final Duration TICK = Duration.ofMillis(500);
    /** Signals within this time are coalesced: many small transactions share a round. */
    private static final Duration COALESCED = Duration.ofMillis(100);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
    private static final Backoff BACKOFF = new Backoff(TICK, Duration.ofMinutes(1));

    private final Followed<S> followed;
    private final PerUserLimit clients;
    private final Bounds bounds;
    private final LongSupplier nanos;
    private final String name;
    private final Set<Follower<S>> followers = ConcurrentHashMap.newKeySet();
    private final AtomicLong cut = new AtomicLong();
    /** Where what one of them selects can't be read, the others get theirs. */
    private final SharedWork<S> selections;

    private final Object wake = new Object();
    private boolean woken;
    private boolean signalled;
    private boolean closed;
    private Thread thread;
    private boolean failing;
    /** Up to where the events of all owners were seen; only of the thread. */
    private long seen;
    /** What had ended when it was read last; only of the thread. */
    private Map<S, Followed.Ended> ended = Map.of();

    private long endedRead;

    /**
     * What one connection may hold.
     *
     * @param stalled how long a client may take nothing before its connection is closed
     * @param silence after which a sign of life is sent
     * @param life after which a connection is ended, so that its client is authorized anew
     */
    public record Bounds(Duration stalled, Duration silence, Duration life) {
        public static final Bounds USUAL =
                new Bounds(Duration.ofMinutes(1), Duration.ofSeconds(15), Duration.ofMinutes(10));
    }

    /**
     * Where a client begins.
     *
     * @param after the id after which events are wanted
     */
    public record Start<S>(S selection, long after) {}

    /**
     * @param name of what is followed, for the log
     * @param clients how many may follow; may be shared with other kinds
     * @param nanos a clock that never goes back
     */
    public Followers(String name, Followed<S> followed, PerUserLimit clients, Bounds bounds, LongSupplier nanos) {
        this.name = name;
        this.followed = followed;
        this.clients = clients;
        this.bounds = bounds;
        this.nanos = nanos;
        endedRead = nanos.getAsLong() - TICK.toNanos();
        selections = new SharedWork<>(
                log, "new " + name + " of", BACKOFF, new SharedWork.Bounds(1, 0, BACKOFF.longest()), e -> false, nanos);
    }

    /**
     * Answers a request by Server-Sent Events, from now on; the servlet returns afterwards.
     *
     * @param user whose permit it takes
     * @param start finds out what is wanted, when there is a permit; what it throws ends the request
     * @throws ServiceException UNAVAILABLE when there is none
     */
    public void follow(HttpServletRequest request, HttpServletResponse response, String user, Supplier<Start<S>> start)
            throws IOException {
        PerUserLimit.Permit permit = permit(user);
        boolean begun = false;
        try {
            // What can fail comes before the response begins.
            Start<S> from = start.get();
            response.setStatus(HttpServletResponse.SC_OK);
            response.setContentType("text/event-stream");
            response.setCharacterEncoding("UTF-8");
            response.setHeader("Cache-Control", "no-store");
            // A proxy before the CE would keep events until its buffer is full.
            response.setHeader("X-Accel-Buffering", "no");
            LiveResponse answer = Exchange.of(request).live(this::wake);
            if (answer == null) {
                response.reset();
                JsonResponse.error(
                        response,
                        HttpServletResponse.SC_NOT_IMPLEMENTED,
                        name + " cannot be followed here: a filter of this server does not support asynchronous"
                                + " requests");
                return;
            }
            begun = true;
            add(user, permit, from.selection(), answer, from.after());
        } finally {
            if (!begun) {
                permit.close();
            }
        }
    }

    PerUserLimit.Permit permit(String user) {
        Optional<PerUserLimit.Permit> permit = clients.tryAcquire(user);
        if (permit.isEmpty()) {
            long own = clients.held(user);
            throw new ServiceException(
                    FaultCode.UNAVAILABLE,
                    own >= clients.ofOneUser()
                            ? "you follow events or messages " + own + " times already; end one of them first"
                            : clients.held() + " clients follow events or messages already; try again later, or query");
        }
        return permit.get();
    }

    /**
     * Serves a client from now on; its permit is given back when it ends.
     *
     * @param after the id after which events are wanted
     */
    void add(String user, PerUserLimit.Permit permit, S selection, LiveResponse response, long after) {
        followers.add(new Follower<>(user, permit, selection, response, after, nanos.getAsLong()));
        synchronized (wake) {
            if (closed) {
                response.close();
                return;
            }
            if (thread == null) {
                thread = new Thread(this::serve, "push-" + name);
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

    /**
     * This process has committed something to push. A hint: a lost one delays until the next tick, which also finds what other processes
     * have committed. Returns at once.
     */
    public void signal() {
        synchronized (wake) {
            if (!signalled) {
                signalled = true;
                wake.notifyAll();
            }
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
            } catch (RuntimeException | Error e) {
                if (!failing) {
                    log.warn("New {} are not pushed now, and followers wait: {}", name, Messages.of(e));
                }
                failing = true;
                if (!Database.isFailure(e)) {
                    log.debug("A round of {} failed", name, e);
                }
            }
        }
        followers.forEach(f -> f.response.close());
    }

    /** @return false when all is over */
    private boolean await() {
        long begin = nanos.getAsLong();
        synchronized (wake) {
            try {
                long rest = rest(begin);
                while (!closed && (followers.isEmpty() || rest > 0)) {
                    wake.wait(
                            followers.isEmpty()
                                    ? TICK.toMillis()
                                    : Duration.ofNanos(rest).toMillis() + 1);
                    rest = rest(begin);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            woken = false;
            signalled = false;
            return !closed;
        }
    }

    /** Nanoseconds until the next round, when the last one ended at a time. */
    private long rest(long begin) {
        Duration pause = failing ? AFTER_FAILURE : woken ? Duration.ZERO : signalled ? COALESCED : TICK;
        return pause.toNanos() - (nanos.getAsLong() - begin);
    }

    private void round() {
        dropEnded();
        if (followers.isEmpty()) {
            return;
        }
        readEnded();
        long to = followed.horizon();
        greet();
        boolean more = true;
        for (int page = 0; more && page < PAGES_OF_A_ROUND && !isClosed(); page++) {
            more = pages(to);
        }
        if (more) {
            wake();
        }
        seen = Math.max(seen, to);
        long now = nanos.getAsLong();
        for (Follower<S> f : followers) {
            Followed.Ended gone = ended.get(f.selection);
            if (gone != null && f.greeted() && f.cursor() >= to && !f.response.ended()) {
                f.end(gone, now);
            }
            if (f.greeted() && now - f.lastTaken() > bounds.silence().toNanos()) {
                // Moves the client's cursor over what is not its own.
                f.send(comment("", f, "alive"), f.cursor(), now);
            }
        }
    }

    /** What ended before the horizon is read has nothing beyond it. */
    private void readEnded() {
        long now = nanos.getAsLong();
        if (now - endedRead >= TICK.toNanos()) {
            ended = followed.ended(followers.stream().map(f -> f.selection).collect(Collectors.toUnmodifiableSet()));
            endedRead = now;
        }
    }

    private void greet() {
        long now = nanos.getAsLong();
        for (Follower<S> f : followers) {
            if (!f.greeted()) {
                f.send(comment("retry: 2000\n", f, "connected"), f.cursor(), now);
            }
        }
    }

    /** An event without data, of which a client notices only the id. */
    private byte[] comment(String before, Follower<S> f, String text) {
        return (before + "id: " + followed.cursor(f.cursor()) + "\n: " + text + "\n\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private boolean isClosed() {
        synchronized (wake) {
            return closed;
        }
    }

    private void dropEnded() {
        long now = nanos.getAsLong();
        List<Follower<S>> gone = new ArrayList<>();
        for (Follower<S> f : followers) {
            boolean stalled = now - f.lastTaken() > bounds.stalled().toNanos();
            if (stalled && !f.response.ended()) {
                cut.incrementAndGet();
                log.info("A client that follows {} is cut, as it takes nothing: {}", name, f.user);
            }
            if (stalled || now - f.opened > bounds.life().toNanos()) {
                f.response.close();
            }
            if (f.response.ended()) {
                gone.add(f);
            }
        }
        for (Follower<S> f : gone) {
            followers.remove(f);
            f.permit.close();
        }
    }

    /** Where some followers are. */
    private record Cursor<S>(S selection, long after, int room) {}

    /** Gives each follower that is behind one page. @return whether one may want another */
    private boolean pages(long to) {
        Map<Cursor<S>, List<Follower<S>>> behind = new LinkedHashMap<>();
        Set<Integer> news = null;
        for (Follower<S> f : followers) {
            if (f.cursor() >= to || !f.greeted() || f.response.ended()) {
                continue;
            }
            Set<Integer> owners = followed.owners(f.selection);
            if (!owners.isEmpty() && f.cursor() == seen && to - seen < MAX_LOOKED_OVER) {
                // Most followers have seen everything, and most owners have nothing new.
                news = news == null ? followed.ownersBetween(seen, to) : news;
                if (owners.stream().noneMatch(news::contains)) {
                    f.skipTo(to);
                    continue;
                }
            }
            behind.computeIfAbsent(new Cursor<>(f.selection, f.cursor(), f.room()), at -> new ArrayList<>())
                    .add(f);
        }
        boolean more = false;
        for (Map.Entry<Cursor<S>, List<Follower<S>>> same : behind.entrySet()) {
            S selection = same.getKey().selection();
            if (selections.isDue(selection)) {
                try {
                    more |= page(same.getKey(), same.getValue(), to);
                    selections.succeeded(selection);
                } catch (RuntimeException | StackOverflowError e) {
                    if (Database.isPassing(e)) {
                        throw e; // others would get nothing either
                    }
                    selections.failed(selection, e);
                }
            }
        }
        return more;
    }

    /** Reads a page once and gives it to all that are at its beginning. */
    private boolean page(Cursor<S> at, List<Follower<S>> same, long to) {
        Followed.Page page = followed.page(at.selection(), at.after(), to, at.room());
        boolean more = false;
        long now = nanos.getAsLong();
        for (Follower<S> f : same) {
            boolean passed = true;
            if (page.bytes().length == 0) {
                f.skipTo(page.last());
            } else {
                passed = f.send(page.bytes(), page.last(), now);
            }
            if (passed) {
                f.wants(page.last() < to);
            }
            more |= passed && page.last() < to;
        }
        return more;
    }

    @Override
    public void close() {
        synchronized (wake) {
            closed = true;
            wake.notifyAll();
        }
        followers.forEach(f -> f.response.close());
    }
}
