package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;

/**
 * How many calls are worked on at once: of one user a share of the request threads, and of all that are not small so many bytes as
 * the heap can hold in all the forms that a request has on its way to the database, a quarter of them of one user. Further calls wait without a thread. Thread-safe.
 */
public final class CallLimits {
    /** Bytes of a call that needs no permits for them. */
    private static final int SMALL = 32 << 10;
    /** Bytes, characters of the parser, texts, tokens, parameters of the statement, results. */
    private static final int BYTES_PER_BYTE = 24;

    private static final int SHARE = 4;

    private final PerUserLimit users;
    private final PerUserLimit shares;
    private final PerUserLimit large;

    /**
     * @param most calls of one user
     * @param mostWaiting calls that may wait, of one user and of large ones
     * @param heap bytes of memory
     */
    public CallLimits(int most, int mostWaiting, long heap) {
        users = PerUserLimit.waiting(most, mostWaiting);
        int bytes = (int) Math.min(Integer.MAX_VALUE, heap / 2 / BYTES_PER_BYTE);
        shares = PerUserLimit.waiting(bytes / SHARE, mostWaiting);
        large = PerUserLimit.waiting(bytes, mostWaiting);
    }

    /** For a server of 64 request threads, with the memory of this process. */
    public static CallLimits usual() {
        return of(32, 400);
    }

    /** With the memory of this process. */
    public static CallLimits of(int most, int mostWaiting) {
        return new CallLimits(most, mostWaiting, Runtime.getRuntime().maxMemory());
    }

    /** Whether the call has its permits; when not, the gate is passed again when it has. */
    public boolean enter(HttpServletRequest request, String user, int bytes) {
        Exchange exchange = Exchange.of(request);
        return exchange.enter(users, user, 1)
                && (bytes <= SMALL || (exchange.enter(shares, user, bytes) && exchange.enter(large, "large", bytes)));
    }
}
