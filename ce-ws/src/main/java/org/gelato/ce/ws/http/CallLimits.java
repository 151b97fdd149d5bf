package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many calls are worked on at once: of one user a share of the request threads, and of all that are not small so many bytes as
 * the heap can hold in all the forms that a request has on its way to the database, a quarter of them of one user. While others call,
 * too, it is of one user half of what the processors can do, and one call that is not small. Further calls wait without a thread. Thread-safe.
 */
public final class CallLimits {
    /** Bytes of a call that needs no permits for them. */
    private static final int SMALL = 32 << 10;
    /** Bytes, characters of the parser, texts, tokens, parameters of the statement, results. */
    private static final int BYTES_PER_BYTE = 24;

    private static final int SHARE = 4;

    /** Calls of a user beside others' on a small machine: one that takes long leaves room for another. */
    private static final int LEAST_BESIDE_OTHERS = 2;

    private final RecentUsers recent;
    private final PerUserLimit users;
    private final PerUserLimit shares;
    private final PerUserLimit large;

    /** Whether anybody but a user has called in the last second. Thread-safe; its memory is that of one user. */
    private static final class RecentUsers {
        private static final Duration LATELY = Duration.ofSeconds(1);

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

    /**
     * @param most calls of one user
     * @param besideOthers the same, while others call
     * @param mostWaiting calls that may wait, of one user and of large ones
     * @param heap bytes of memory
     * @param nanos a clock as {@link System#nanoTime}
     */
    public CallLimits(int most, int besideOthers, int mostWaiting, long heap, LongSupplier nanos) {
        recent = new RecentUsers(nanos);
        users = PerUserLimit.waiting(most, besideOthers, recent::isAlone, mostWaiting);
        int bytes = (int) Math.min(Integer.MAX_VALUE, heap / 2 / BYTES_PER_BYTE);
        shares = PerUserLimit.waiting(bytes / SHARE, 1, recent::isAlone, mostWaiting);
        large = PerUserLimit.waiting(bytes, mostWaiting);
    }

    /** For a server of 64 request threads, with the memory of this process. */
    public static CallLimits usual() {
        return of(32, 400);
    }

    /** With the memory of this process. */
    public static CallLimits of(int most, int mostWaiting) {
        Runtime own = Runtime.getRuntime();
        int beside = Math.max(LEAST_BESIDE_OTHERS, own.availableProcessors() / 2);
        return new CallLimits(most, beside, mostWaiting, own.maxMemory(), System::nanoTime);
    }

    /** Whether the call has its permits; when not, the gate is passed again when it has. */
    public boolean enter(HttpServletRequest request, String user, int bytes) {
        Exchange exchange = Exchange.of(request);
        recent.came(user);
        return exchange.enter(users, user, 1)
                && (bytes <= SMALL || (exchange.enter(shares, user, bytes) && exchange.enter(large, "large", bytes)));
    }
}
