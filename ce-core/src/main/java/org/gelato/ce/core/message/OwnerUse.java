package org.gelato.ce.core.message;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;

/**
 * How many bytes are stored of each owner: read from time to time, and what this process stored since is added. Several processes on one
 * database learn of each other's within {@link #FRESH}, so a quota may be exceeded by what they store in that time. Thread-safe.
 */
final class OwnerUse {
    static final Duration FRESH = Duration.ofSeconds(30);
    private static final int MAX = 10_000;

    private final LongSupplier ticker;
    private final Map<Integer, Use> known = new HashMap<>();

    /** Bytes, and when they were read. */
    private record Use(long bytes, long readAt) {}

    /** @param ticker nanoseconds */
    OwnerUse(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /**
     * What is stored of owners; one statement for those that were not read lately.
     *
     * @return bytes of each
     */
    Map<Integer, Long> of(Handle h, Collection<Integer> owners) {
        Map<Integer, Long> all = new HashMap<>();
        Set<Integer> stale = new HashSet<>();
        long now = ticker.getAsLong();
        synchronized (this) {
            for (int owner : owners) {
                Use use = known.get(owner);
                if (use == null || now - use.readAt() > FRESH.toNanos()) {
                    stale.add(owner);
                } else {
                    all.put(owner, use.bytes());
                }
            }
        }
        if (!stale.isEmpty()) {
            Map<Integer, Long> read = MessageStore.storedOf(h, stale);
            synchronized (this) {
                if (known.size() > MAX) {
                    known.clear();
                }
                for (int owner : stale) {
                    long bytes = read.getOrDefault(owner, 0L);
                    known.put(owner, new Use(bytes, now));
                    all.put(owner, bytes);
                }
            }
        }
        return all;
    }

    /** Counts bytes of messages that were committed. */
    synchronized void add(int owner, long bytes) {
        known.computeIfPresent(owner, (o, use) -> new Use(use.bytes() + bytes, use.readAt()));
    }
}
