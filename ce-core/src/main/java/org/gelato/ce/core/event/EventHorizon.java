package org.gelato.ce.core.event;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The largest event id below which no new event can appear. The server hands ids out before transactions commit, so a
 * committed id proves nothing about smaller ones. Two things do: all ids up to it are there, or a moment in which no
 * transaction that wrote events was open (docs/developer/decisions/0013). The first costs one read by key and no wait; the
 * second costs a lock, so it is used at the first question and for gaps, as rolled-back transactions and purged jobs leave
 * them: at once where no fence was needed lately, else when they stay. When a writer does not end, the horizon stays:
 * events come late, never twice and never not at all.
 *
 * <p>Shared by all threads that read events; of those that ask during a query, one queries again for all. Keeps nothing
 * in the database, so several nodes do not need to know of each other.
 */
final class EventHorizon {
    private static final Logger log = LoggerFactory.getLogger(EventHorizon.class);
    /** Ids read at once, and how many times in one query. */
    private static final int PAGE = 5000;

    private static final int PAGES = 20;
    /** How long to leave writers alone after a fence that one of them did not let through. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final EventIds ids;
    private final LongSupplier nanoTime;
    private final long patience;
    private final long step;

    private final AtomicLong begun = new AtomicLong();
    private final ReentrantLock refreshing = new ReentrantLock();
    private final ReentrantLock fence = new ReentrantLock();
    private volatile long finished;
    private final AtomicLong horizon = new AtomicLong();
    private volatile boolean started;
    private volatile Gap gap;
    private volatile long nextFence;
    /** From when on even a fresh gap is worth a fence: without writers it is closed at once. */
    private volatile long rested;
    /** Whether the last fence found no instant without a writer, so that the next one makes new writers wait. */
    private boolean insist;

    /** Events are missing right above an id since a time. */
    private record Gap(long above, long since) {}

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param patience how long a gap may be open transactions at work, before a fence makes sure
     */
    EventHorizon(EventIds ids, LongSupplier nanoTime, Duration patience) {
        this.ids = ids;
        this.nanoTime = nanoTime;
        this.patience = patience.toNanos();
        this.step = ids.step();
        this.nextFence = nanoTime.getAsLong();
        this.rested = nextFence;
    }

    /** The horizon as last seen; events up to it may be shown. */
    long known() {
        return horizon.get();
    }

    /**
     * The horizon after a query that began after this call. Holds no connection while it waits for other callers.
     *
     * @throws ServiceException INTERNAL until the first fence has succeeded: nothing is known then, and 0 would be the whole history
     */
    long renewed() {
        long seen = begun.get();
        if (started) {
            refreshing.lock();
            try {
                if (finished <= seen) {
                    long mine = begun.incrementAndGet();
                    refresh();
                    finished = mine;
                }
            } finally {
                refreshing.unlock();
            }
        }
        if (isFenceDue() && enterFence()) {
            try {
                fence();
            } finally {
                fence.unlock();
            }
        }
        if (!started) {
            throw new ServiceException(
                    FaultCode.UNAVAILABLE,
                    "job events cannot be read yet: since this CE was started a transaction has held their table; try again");
        }
        return horizon.get();
    }

    /** Whether the first fence has succeeded, so that events can be read. */
    boolean isKnown() {
        return started;
    }

    /** Before the first fence nothing is known, and an empty result would be taken as complete: all wait. */
    private boolean enterFence() {
        if (started) {
            return fence.tryLock();
        }
        fence.lock();
        return true;
    }

    private void refresh() {
        for (int page = 0; page < PAGES; page++) {
            long at = horizon.get();
            List<Long> next = ids.after(at, PAGE);
            for (long id : next) {
                if (id != at + step) {
                    advance(at);
                    note(at);
                    return;
                }
                at = id;
            }
            advance(at);
            if (next.size() < PAGE) {
                break;
            }
        }
        gap = null;
    }

    private void note(long above) {
        Gap known = gap;
        if (known == null || known.above() != above) {
            gap = new Gap(above, nanoTime.getAsLong());
        }
    }

    private boolean isFenceDue() {
        long now = nanoTime.getAsLong();
        Gap open = gap;
        boolean wanted = !started || (open != null && (now - rested >= 0 || !isFresh(open, now)));
        return wanted && now - nextFence >= 0;
    }

    /** Whether a gap may well close by itself. */
    private boolean isFresh(Gap open, long now) {
        return now - open.since() < patience;
    }

    private void fence() {
        if (!isFenceDue()) {
            return;
        }
        long now = nanoTime.getAsLong();
        Gap open = gap;
        boolean early = started && open != null && isFresh(open, now);
        rested = now + patience;
        OptionalLong last = started ? ids.last(insist && !early) : first();
        if (last.isPresent()) {
            advance(last.getAsLong());
            started = true;
            gap = null;
            insist = false;
        } else if (!early) {
            boolean insisted = insist || !started;
            nextFence = nanoTime.getAsLong() + (insisted ? PAUSE.toNanos() : 0);
            if (insisted) {
                log.warn(
                        "job events above {} are held back: a transaction that writes job events does not end",
                        horizon.get());
            }
            insist = !insisted;
        }
    }

    /** Readers of the table, as a dump, do not stop the fence that lets writers pass; the other one they do. */
    private OptionalLong first() {
        OptionalLong last = ids.last(false);
        return last.isPresent() ? last : ids.last(true);
    }

    private void advance(long id) {
        horizon.accumulateAndGet(id, Math::max);
    }
}
