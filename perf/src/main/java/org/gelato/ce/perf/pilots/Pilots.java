package org.gelato.ce.perf.pilots;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.perf.load.Crew;

/**
 * The pilots of a factory, of one frontend user each. The factory knows only what the CE reported: a pilot is out
 * until the CE has reported its end. Thread-safe.
 */
public final class Pilots {
    private static final long PAUSE_NANOS = 20_000_000;

    private final int held;
    private final double perSecond;
    private final Frontend.Clock clock;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Set<String> out = ConcurrentHashMap.newKeySet();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger registered = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger unwell = new AtomicInteger();
    private final AtomicInteger strange = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private volatile long begin = System.nanoTime();
    private volatile boolean closed;

    /**
     * @param held this many are out at once
     * @param perSecond starts at the most
     */
    public Pilots(int held, double perSecond, Frontend.Clock clock) {
        this.held = held;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /** Sends pilots, one by one, until {@link #close}. */
    public void send(Frontend frontend) {
        while (!closed) {
            if (mayBegin()) {
                frontend.send(clock, this::add);
            } else {
                Crew.rest(PAUSE_NANOS);
            }
        }
    }

    /** A pilot was registered, by {@link #send} or beside it. */
    public void add(String id) {
        registered.incrementAndGet();
        if (known.add(id)) {
            out.add(id);
        } else {
            repeated.incrementAndGet();
        }
    }

    /** The rate counts from now on, and not from the making. */
    public void open() {
        begin = System.nanoTime();
    }

    private boolean mayBegin() {
        double due = (System.nanoTime() - begin) / 1e9 * perSecond;
        synchronized (this) {
            // What could not be sent at its time is sent later, as a factory does: the rate is that of the whole.
            if (begun.get() - done.get() - unwell.get() >= held || begun.get() >= due) {
                return false;
            }
            begun.incrementAndGet();
            return true;
        }
    }

    /** Requests all pilots of a user, and purges those that have ended. */
    public void poll(Frontend frontend) {
        List<String> ended = new ArrayList<>();
        for (Frontend.Ended pilot : frontend.ended(clock)) {
            // A pilot may be seen to end before its sender has noted it: at the next poll then.
            if (out.remove(pilot.id())) {
                (pilot.done() ? done : unwell).incrementAndGet();
                ended.add(pilot.id());
            }
        }
        if (!ended.isEmpty()) {
            strange.addAndGet(frontend.purge(clock, ended));
        }
    }

    /** No more are sent. */
    public void close() {
        closed = true;
    }

    /** Those that the CE has not reported as ended. */
    public Set<String> out() {
        return new HashSet<>(out);
    }

    /** Those that were ever registered. */
    public Set<String> known() {
        return Collections.unmodifiableSet(known);
    }

    public int registered() {
        return registered.get();
    }

    public int done() {
        return done.get();
    }

    /** Ended as anything but DONE-OK. */
    public int unwell() {
        return unwell.get();
    }

    /** Purges of ended pilots that the CE refused. */
    public int refusedPurges() {
        return strange.get();
    }

    /** Pilots that the CE named as one before. */
    public int repeatedIds() {
        return repeated.get();
    }
}
