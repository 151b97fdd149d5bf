package org.gelato.ce.ws.http;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Calls that are worked on at once for one caller: a fixed number, so that no caller holds all request threads. Further
 * calls wait in their order without a thread, up to a bound. Thread-safe.
 */
public final class WorkPlaces {
    private final int most;
    private final int mostWaiting;
    private final Map<String, Person> persons = new HashMap<>();

    private static final class Person {
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int working;
    }

    /** Too many calls of this person wait already. */
    public static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Full(int waiting) {
            super(waiting + " calls of this client wait already; try again when some have ended", null, false, false);
        }
    }

    /**
     * @param most calls of one person worked on at once
     * @param mostWaiting further calls of one person
     */
    public WorkPlaces(int most, int mostWaiting) {
        this.most = most;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Takes a place.
     *
     * @param later called once, by the thread that frees a place, when none is free now; the place is taken then
     * @return whether a place was free
     * @throws Full when too many calls wait
     */
    public synchronized boolean enter(String person, Runnable later) {
        Person p = persons.computeIfAbsent(person, who -> new Person());
        if (p.working < most) {
            p.working++;
            return true;
        }
        if (p.waiting.size() >= mostWaiting) {
            throw new Full(p.waiting.size());
        }
        p.waiting.add(later);
        return false;
    }

    /** Frees a place; the person's call that waits longest gets it. */
    public void leave(String person) {
        Runnable next;
        synchronized (this) {
            Person p = persons.get(person);
            next = p.waiting.poll();
            if (next == null && --p.working == 0) {
                persons.remove(person);
            }
        }
        if (next != null) {
            next.run();
        }
    }
}
