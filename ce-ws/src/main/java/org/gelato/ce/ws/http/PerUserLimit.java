package org.gelato.ce.ws.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * Permits of one kind: so many of one user, so that none holds all of them, and so many of all. What finds none is refused, or
 * waits in its order without a thread, up to a bound. Thread-safe.
 */
public final class PerUserLimit {
    private final long ofAll;
    private final long ofOneUser;
    private final long besideOthers;
    private final Predicate<String> alone;
    private final int mostWaiting;
    private final Map<String, User> users = new HashMap<>();
    private long held;

    private record Waiting(int weight, Runnable later) {}

    private static final class User {
        private final Queue<Waiting> waiting = new ArrayDeque<>();
        private long held;
    }

    /** Too many calls of this user wait already. */
    public static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Full(int waiting) {
            super(waiting + " calls of this client wait already; try again when some have ended", null, false, false);
        }
    }

    private PerUserLimit(long ofAll, long ofOneUser, long besideOthers, Predicate<String> alone, int mostWaiting) {
        this.ofAll = ofAll;
        this.ofOneUser = ofOneUser;
        this.besideOthers = besideOthers;
        this.alone = alone;
        this.mostWaiting = mostWaiting;
    }

    /** Permits for one user each, of which nothing waits; 1 or more. */
    public static PerUserLimit of(int ofOneUser) {
        return of(Integer.MAX_VALUE, ofOneUser);
    }

    /** Permits for all, and so many of them for one user; nothing waits. */
    public static PerUserLimit of(int ofAll, int ofOneUser) {
        return new PerUserLimit(ofAll, ofOneUser, ofOneUser, user -> true, 0);
    }

    /** Keeps a quarter of the permits for others than the user who has most. */
    public static PerUserLimit leavingAQuarterOf(int permits) {
        return of(permits - permits / 4);
    }

    /**
     * Permits for one user each, for which calls wait.
     *
     * @param ofOneUser weight of a user's calls that are served at once
     * @param mostWaiting further calls of a user
     */
    public static PerUserLimit waiting(int ofOneUser, int mostWaiting) {
        return waiting(ofOneUser, ofOneUser, user -> true, mostWaiting);
    }

    /**
     * The same, with fewer for a user while there are others.
     *
     * @param besideOthers weight of a user's calls that are served at once while others hold permits, or the user is not alone otherwise
     * @param alone whether there is nobody but this user
     */
    static PerUserLimit waiting(int ofOneUser, int besideOthers, Predicate<String> alone, int mostWaiting) {
        return new PerUserLimit(Long.MAX_VALUE, ofOneUser, Math.min(ofOneUser, besideOthers), alone, mostWaiting);
    }

    /** What one user may hold at once. */
    public long ofOneUser() {
        return ofOneUser;
    }

    /** What all hold now. */
    public synchronized long held() {
        return held;
    }

    /** What a user holds now. */
    public synchronized long held(String user) {
        User u = users.get(user);
        return u == null ? 0 : u.held;
    }

    /**
     * Takes one permit, if there is one.
     *
     * @param user the key under which permits are counted
     */
    public synchronized Optional<Permit> tryAcquire(String user) {
        if (held >= ofAll || held(user) >= ofOneUser) {
            return Optional.empty();
        }
        take(users.computeIfAbsent(user, key -> new User()), 1);
        return Optional.of(new Permit(user));
    }

    /**
     * A permit that is held; given back once, however often it is closed and by whatever thread. When {@code close} returns it is free,
     * also where another thread closes it.
     */
    public final class Permit implements AutoCloseable {
        private final String user;
        /** Guarded by the limit. */
        private boolean open = true;

        private Permit(String user) {
            this.user = user;
        }

        @Override
        public void close() {
            List<Runnable> next;
            synchronized (PerUserLimit.this) {
                next = open ? free(user, 1) : List.of();
                open = false;
            }
            next.forEach(Runnable::run);
        }
    }

    /**
     * Takes permits for a call, which {@link #release} gives back. A call that is heavier than all of its user's permits is served
     * alone.
     *
     * @param weight of the call, 1 or more
     * @param later called once, by the thread that frees permits, when there are too few now; they are taken then
     * @return whether there were enough
     * @throws Full when too many calls wait
     */
    public synchronized boolean acquire(String user, int weight, Runnable later) {
        User u = users.computeIfAbsent(user, key -> new User());
        if (u.waiting.isEmpty() && fits(user, u, weight)) {
            take(u, weight);
            return true;
        }
        if (u.waiting.size() >= mostWaiting) {
            throw new Full(u.waiting.size());
        }
        u.waiting.add(new Waiting(weight, later));
        return false;
    }

    private boolean fits(String user, User u, int weight) {
        if (u.held == 0 || u.held + weight <= besideOthers) {
            return true;
        }
        return u.held + weight <= ofOneUser && held == u.held && alone.test(user);
    }

    private void take(User u, int weight) {
        u.held += weight;
        held += weight;
    }

    /**
     * Frees permits; the user's calls that wait longest get them.
     *
     * @param weight as it was taken
     */
    public void release(String user, int weight) {
        List<Runnable> next;
        synchronized (this) {
            next = free(user, weight);
        }
        next.forEach(Runnable::run);
    }

    /** Under the lock; what is returned runs outside it. */
    private List<Runnable> free(String user, int weight) {
        List<Runnable> next = new ArrayList<>();
        User u = users.get(user);
        take(u, -weight);
        while (!u.waiting.isEmpty() && fits(user, u, u.waiting.peek().weight())) {
            Waiting first = u.waiting.remove();
            take(u, first.weight());
            next.add(first.later());
        }
        if (u.held == 0) {
            users.remove(user);
        }
        return next;
    }
}
