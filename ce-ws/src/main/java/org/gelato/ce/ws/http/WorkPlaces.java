package org.gelato.ce.ws.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Calls that are worked on at once for one caller: up to a fixed weight, so that no caller holds all request threads or all memory. Further
 * calls wait in their order without a thread, up to a bound. A call that is heavier than all places is worked on alone. Thread-safe.
 */
public final class WorkPlaces {
    private final int most;
    private final int mostWaiting;
    private final Map<String, Person> persons = new HashMap<>();

    private record Waiting(int weight, Runnable later) {}

    private static final class Person {
        private final Queue<Waiting> waiting = new ArrayDeque<>();
        private long working;
    }

    /** Too many calls of this person wait already. */
    public static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Full(int waiting) {
            super(waiting + " calls of this client wait already; try again when some have ended", null, false, false);
        }
    }

    /**
     * @param most weight of the calls of one person worked on at once
     * @param mostWaiting further calls of one person
     */
    public WorkPlaces(int most, int mostWaiting) {
        this.most = most;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Takes a place.
     *
     * @param weight of the call, 1 or more
     * @param later called once, by the thread that frees a place, when none is free now; the place is taken then
     * @return whether a place was free
     * @throws Full when too many calls wait
     */
    public synchronized boolean enter(String person, int weight, Runnable later) {
        Person p = persons.computeIfAbsent(person, who -> new Person());
        if (p.waiting.isEmpty() && fits(p, weight)) {
            p.working += weight;
            return true;
        }
        if (p.waiting.size() >= mostWaiting) {
            throw new Full(p.waiting.size());
        }
        p.waiting.add(new Waiting(weight, later));
        return false;
    }

    private boolean fits(Person p, int weight) {
        return p.working == 0 || p.working + weight <= most;
    }

    /**
     * Frees a place; the person's calls that wait longest get it.
     *
     * @param weight as it was taken
     */
    public void leave(String person, int weight) {
        List<Runnable> next = new ArrayList<>();
        synchronized (this) {
            Person p = persons.get(person);
            p.working -= weight;
            while (!p.waiting.isEmpty() && fits(p, p.waiting.peek().weight())) {
                Waiting first = p.waiting.remove();
                p.working += first.weight();
                next.add(first.later());
            }
            if (p.working == 0) {
                persons.remove(person);
            }
        }
        next.forEach(Runnable::run);
    }
}
