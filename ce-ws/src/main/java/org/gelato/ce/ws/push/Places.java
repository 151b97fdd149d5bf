package org.gelato.ce.ws.push;

import java.util.HashMap;
import java.util.Map;

/** How many clients may follow at once, whatever they follow, and how many of one person. Thread-safe. */
public final class Places {
    private final int most;
    private final int ofOnePerson;
    private final Map<String, Integer> taken = new HashMap<>();

    /** There is no place for another follower. */
    public static final class Full extends Exception {
        private static final long serialVersionUID = 1L;

        Full(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * @param most followers at once
     * @param ofOnePerson of these
     */
    public Places(int most, int ofOnePerson) {
        this.most = most;
        this.ofOnePerson = ofOnePerson;
    }

    /** Takes a place for a person, which {@link #leave} gives back. */
    synchronized void enter(String person) throws Full {
        int all = taken.values().stream().mapToInt(Integer::intValue).sum();
        int own = taken.getOrDefault(person, 0);
        if (own >= ofOnePerson) {
            throw new Full("you follow events or messages " + own + " times already; end one of them first");
        }
        if (all >= most) {
            throw new Full(all + " clients follow events or messages already; try again later, or query");
        }
        taken.put(person, own + 1);
    }

    synchronized void leave(String person) {
        taken.computeIfPresent(person, (who, n) -> n == 1 ? null : n - 1);
    }
}
