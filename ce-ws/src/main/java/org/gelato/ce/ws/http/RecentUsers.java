package org.gelato.ce.ws.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Whether anybody but a user has called in the last second. Thread-safe; its memory is that of one user. */
final class RecentUsers {
    static final Duration LATELY = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private String last = "";
    private long lastCame;
    /** When somebody else than the last one came last. */
    private long othersCame;

    /** @param nanos a clock as {@link System#nanoTime} */
    RecentUsers(LongSupplier nanos) {
        this.nanos = nanos;
        lastCame = nanos.getAsLong() - LATELY.toNanos();
        othersCame = lastCame;
    }

    /** The user calls now. */
    synchronized void came(String user) {
        if (!user.equals(last)) {
            last = user;
            othersCame = lastCame;
        }
        lastCame = nanos.getAsLong();
    }

    /** Whether nobody else has called lately. */
    synchronized boolean isAlone(String user) {
        return nanos.getAsLong() - (user.equals(last) ? othersCame : lastCame) >= LATELY.toNanos();
    }
}
