package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;

/**
 * How many calls are worked on at once: of one person a share of the request threads, and of all that are not small so many bytes as
 * the heap can hold in all the forms that a request has on its way to the database, a quarter of them of one person. Further calls wait without a thread. Thread-safe.
 */
public final class CallPlaces {
    /** Bytes of a call that needs no such place. */
    private static final int SMALL = 32 << 10;
    /** Bytes, characters of the parser, texts, tokens, parameters of the statement, results. */
    private static final int BYTES_PER_BYTE = 24;

    private static final int SHARE = 4;

    private final WorkPlaces persons;
    private final WorkPlaces shares;
    private final WorkPlaces large;

    /**
     * @param most calls of one person
     * @param mostWaiting calls that may wait, of one person and of large ones
     * @param heap bytes of memory
     */
    public CallPlaces(int most, int mostWaiting, long heap) {
        persons = new WorkPlaces(most, mostWaiting);
        int bytes = (int) Math.min(Integer.MAX_VALUE, heap / 2 / BYTES_PER_BYTE);
        shares = new WorkPlaces(bytes / SHARE, mostWaiting);
        large = new WorkPlaces(bytes, mostWaiting);
    }

    /** For a server of 64 request threads, with the memory of this process. */
    public static CallPlaces usual() {
        return of(32, 400);
    }

    /** With the memory of this process. */
    public static CallPlaces of(int most, int mostWaiting) {
        return new CallPlaces(most, mostWaiting, Runtime.getRuntime().maxMemory());
    }

    /** Whether the call has its places; when not, the gate is passed again when it has. */
    public boolean enter(HttpServletRequest request, String person, int bytes) {
        Exchange exchange = Exchange.of(request);
        return exchange.enter(persons, person, 1)
                && (bytes <= SMALL || (exchange.enter(shares, person, bytes) && exchange.enter(large, "large", bytes)));
    }
}
