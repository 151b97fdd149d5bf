package org.gelato.ce.core.fault;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Repeated work on things of more than one user, of which any may be bad for long: one fails or hangs, and costs itself alone. A member that
 * failed, or had no result in time, is left out until its back-off is over; its success forgets it. Work that hangs is not begun again while it
 * hangs, and keeps none of the places of others, up to a bound. Each bad member is in the log when it becomes bad, once an hour, and when it
 * works again. Waits are of the monotonic clock. Thread-safe.
 *
 * <p>Two ways: {@link #each} for futures side by side that the caller waits for, {@link #begin} for futures that nobody waits for. Work on many
 * as a whole is {@link Halving}'s.
 *
 * @param <K> what is bad when its work fails: a home, an account, a job; its text is in the log
 */
public final class SharedWork<K> {
    /** Bad members that are remembered; what was forgotten is tried with the others again. */
    private static final int REMEMBERED = 10_000;
    /** Members that became bad and are named in the log in one minute; the others are counted. */
    private static final int NAMED_A_MINUTE = 10;
    /** How often who waits for futures looks which of them hang. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Logger log;
    private final String what;
    private final Backoff backoff;
    private final Bounds bounds;
    private final Predicate<Throwable> ofAll;
    private final LongSupplier nanoTime;
    private final RepeatedFault everybodys;
    /** The one that failed last stands last. */
    private final Map<K, Bad> bad = new LinkedHashMap<>();

    private final Map<K, Begun> underWay = new HashMap<>();
    private int hanging;
    private boolean watched;
    private long minute;
    private int namedInMinute;
    private int unnamed;

    /**
     * What the work may take.
     *
     * @param atOnce members in futures that are under way and do not hang
     * @param hanging members that hang, beside those; more keep places
     * @param time after which the work of a member hangs
     */
    public record Bounds(int atOnce, int hanging, Duration time) {}

    private static final class Bad {
        private int failures;
        private long next;
        private RepeatedFault fault;
    }

    private static final class Begun {
        private final long since;
        private final Runnable place;
        private boolean hangs;

        Begun(long since, Runnable place) {
            this.since = since;
            this.place = place;
        }
    }

    /** What a member's future gave. */
    private record Ended<K, T, V>(K key, T member, V value, Throwable failure) {}

    /**
     * @param what is done, as the beginning of a line of the log, for example {@code proxy files of}; a member's text follows
     * @param ofAll failures that say nothing of a member, such as a helper that is away: no member waits for them
     * @param nanoTime as {@link System#nanoTime}
     */
    public SharedWork(
            Logger log,
            String what,
            Backoff backoff,
            Bounds bounds,
            Predicate<Throwable> ofAll,
            LongSupplier nanoTime) {
        this.log = log;
        this.what = what;
        this.backoff = backoff;
        this.bounds = bounds;
        this.ofAll = ofAll;
        this.nanoTime = nanoTime;
        this.everybodys = new RepeatedFault(log, Clock.systemUTC(), what + " everybody");
    }

    /** Whether the member may be tried: it is not under way, and waits for no back-off. */
    public synchronized boolean isDue(K key) {
        return untilDue(key).isZero();
    }

    /** Until the member may be tried again; zero for one that is due. One that is under way waits for the longest back-off. */
    public synchronized Duration untilDue(K key) {
        if (underWay.containsKey(key)) {
            return backoff.longest();
        }
        Bad known = bad.get(key);
        return known == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, known.next - nanoTime.getAsLong()));
    }

    /** Members that are under way and do not hang. */
    public synchronized int running() {
        return underWay.size() - hanging;
    }

    /** Whether the member is under way and does not hang. */
    public synchronized boolean isRunning(K key) {
        Begun begun = underWay.get(key);
        return begun != null && !begun.hangs;
    }

    /** The member's work was done: it is forgotten. {@link #each} and {@link #begin} do this themselves. */
    public synchronized void succeeded(K key) {
        everybodys.over();
        Bad known = bad.remove(key);
        if (known != null && known.fault != null) {
            known.fault.over();
        }
    }

    /** The member's work failed: it waits, unless the failure is of all. As {@link #succeeded}. */
    public synchronized void failed(K key, Throwable why) {
        Throwable cause = Causes.of(why);
        if (ofAll.test(cause)) {
            everybodys.failed(Messages.of(cause));
            return;
        }
        Bad known = bad.remove(key);
        if (known == null) {
            known = new Bad();
            forget();
        }
        bad.put(key, known);
        known.failures++;
        known.next = nanoTime.getAsLong() + backoff.after(known.failures).toNanos();
        report(key, known, Messages.of(cause));
    }

    /** Makes room for one: of those that nobody has tried for long, as there is nothing left to do for them, and of the eldest. */
    private void forget() {
        long longAgo = nanoTime.getAsLong() - backoff.longest().toNanos();
        for (Iterator<Bad> eldest = bad.values().iterator(); eldest.hasNext(); ) {
            if (eldest.next().next - longAgo > 0 && bad.size() < REMEMBERED) {
                return;
            }
            eldest.remove();
        }
    }

    private void report(K key, Bad known, String why) {
        if (known.fault != null) {
            known.fault.failed(why);
            return;
        }
        long now = nanoTime.getAsLong();
        if (namedInMinute == 0 || now - minute >= TimeUnit.MINUTES.toNanos(1)) {
            minute = now;
            namedInMinute = 0;
        }
        if (namedInMinute == NAMED_A_MINUTE) {
            unnamed++;
            return;
        }
        namedInMinute++;
        known.fault = new RepeatedFault(log, Clock.systemUTC(), what + " " + key);
        known.fault.failed(unnamed == 0 ? why : why + " (and " + unnamed + " others that were not named)");
        unnamed = 0;
    }

    /**
     * Work in futures, side by side: returns when each member that is due has ended or hangs. Members with one key are done one after the other,
     * and none of them any more once one has failed. What ends after it was found to hang is not used, and is repeated by a later call. Where all
     * places are taken by what hangs, the rest is left to a later call.
     *
     * @param work begins the work of one member; what it throws is that member's failure
     * @param done gets the result of each that succeeded, on the calling thread; what it throws is that member's failure
     * @return members that were done
     */
    public <T, V> int each(
            Collection<T> members, Function<T, K> key, Function<T, CompletableFuture<V>> work, BiConsumer<T, V> done)
            throws InterruptedException {
        Map<K, Deque<T>> open = new LinkedHashMap<>();
        members.forEach(
                m -> open.computeIfAbsent(key.apply(m), k -> new ArrayDeque<>()).add(m));
        Deque<K> ready = new ArrayDeque<>(open.keySet());
        Map<K, Begun> mine = new HashMap<>();
        BlockingQueue<Ended<K, T, V>> ended = new LinkedBlockingQueue<>();
        int succeeded = 0;
        while (true) {
            while (!ready.isEmpty() && hasRoom()) {
                K k = ready.remove();
                T member = open.get(k).remove();
                Begun begun = take(k, () -> {});
                if (begun != null) {
                    mine.put(k, begun);
                    future(() -> work.apply(member)).whenComplete((value, e) -> {
                        boolean late = leave(k, begun);
                        if (late && e == null) {
                            succeeded(k);
                        }
                        ended.add(new Ended<>(k, member, value, e));
                    });
                }
            }
            if (mine.isEmpty()) {
                return succeeded;
            }
            Ended<K, T, V> one = ended.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            if (one != null && mine.remove(one.key()) != null) {
                if (finish(one, done)) {
                    succeeded++;
                    if (!open.get(one.key()).isEmpty()) {
                        ready.add(one.key());
                    }
                }
            }
            expire();
            synchronized (this) {
                mine.values().removeIf(begun -> begun.hangs);
            }
        }
    }

    private <T, V> boolean finish(Ended<K, T, V> one, BiConsumer<T, V> done) {
        Throwable failure = one.failure();
        if (failure == null) {
            try {
                done.accept(one.member(), one.value());
                succeeded(one.key());
                return true;
            } catch (RuntimeException | StackOverflowError e) {
                failure = e;
            }
        }
        failed(one.key(), failure);
        return false;
    }

    /**
     * Begins the work of one member, unless it is not due or there is no place.
     *
     * @param work begins it; what it throws is the member's failure
     * @param place is called on any thread, once or twice, when a place may have become free: the work has ended, or hangs
     * @return whether it was begun
     */
    public <V> boolean begin(K key, Supplier<CompletableFuture<V>> work, Runnable place) {
        Begun begun = take(key, place);
        if (begun == null) {
            return false;
        }
        watch();
        future(work).whenComplete((value, e) -> {
            boolean late = leave(key, begun);
            if (e == null) {
                succeeded(key);
            } else if (!late) {
                failed(key, e);
            }
            place.run();
        });
        return true;
    }

    /** Work that cannot even be begun fails as any other: else it would stay under way for ever. */
    private static <V> CompletableFuture<V> future(Supplier<CompletableFuture<V>> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Whether another member can be begun now. */
    public synchronized boolean hasRoom() {
        return underWay.size() - Math.min(hanging, bounds.hanging()) < bounds.atOnce();
    }

    private synchronized Begun take(K key, Runnable place) {
        if (!isDue(key) || !hasRoom()) {
            return null;
        }
        Begun begun = new Begun(nanoTime.getAsLong(), place);
        underWay.put(key, begun);
        return begun;
    }

    /** Returns whether it had been found to hang. */
    private synchronized boolean leave(K key, Begun begun) {
        underWay.remove(key, begun);
        if (begun.hangs) {
            hanging--;
        }
        return begun.hangs;
    }

    /** Finds what hangs by now. A timer does so too. */
    public void expire() {
        List<Runnable> places = new ArrayList<>();
        synchronized (this) {
            long now = nanoTime.getAsLong();
            underWay.forEach((key, begun) -> {
                if (!begun.hangs && now - begun.since >= bounds.time().toNanos()) {
                    begun.hangs = true;
                    hanging++;
                    failed(key, new TimeoutException("no result within " + Messages.span(bounds.time())));
                    places.add(begun.place);
                }
            });
        }
        places.forEach(Runnable::run);
    }

    private void watch() {
        synchronized (this) {
            if (watched || underWay.size() == hanging) {
                return;
            }
            watched = true;
        }
        CompletableFuture.delayedExecutor(bounds.time().toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> {
                    synchronized (this) {
                        watched = false;
                    }
                    expire();
                    watch();
                });
    }
}
