package org.gelato.ce.ws.audit;

import java.util.HashMap;
import java.util.Map;

/**
 * How many refusals are written: so many a minute of one address, or of one part of the CE, and so many in all. What clients that are not authorized do must not fill the
 * disk. Memory is bounded by the lines in all. Not thread-safe.
 */
final class RefusalLimit {
    static final int OF_ADDRESS = 20;
    static final int IN_ALL = 600;

    private final Map<String, Integer> written = new HashMap<>();
    private long minute = Long.MIN_VALUE;
    private int all;
    private long suppressed;

    /**
     * Begins the next minute when it is time.
     *
     * @return how many were suppressed in a minute that has ended; 0 also while it lasts
     */
    long ended(long now) {
        if (now == minute) {
            return 0;
        }
        long count = suppressed;
        minute = now;
        all = 0;
        suppressed = 0;
        written.clear();
        return count;
    }

    /** Whether one more is written in the present minute. */
    boolean admits(String address) {
        int known = written.getOrDefault(address, 0);
        if (all >= IN_ALL || known >= OF_ADDRESS) {
            suppressed++;
            return false;
        }
        all++;
        written.put(address, known + 1);
        return true;
    }
}
