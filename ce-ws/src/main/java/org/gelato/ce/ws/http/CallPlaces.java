package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;
import org.gelato.ce.ws.xml.XmlLimits;

/**
 * How many calls are worked on at once: of one person a share of the request threads, and of large ones so many as the heap
 * can hold in all the forms that a request has on its way to the database. Further calls wait without a thread. Thread-safe.
 */
public final class CallPlaces {
    private static final int LARGE = 1 << 20;
    /** Bytes, characters of the parser, texts, tokens, parameters of the statement. */
    private static final int BYTES_PER_BYTE = 16;

    private final WorkPlaces persons;
    private final WorkPlaces large;

    /**
     * @param most calls of one person
     * @param mostWaiting calls that may wait, of one person and of large ones
     * @param largest bytes of the largest call
     * @param heap bytes of memory
     */
    public CallPlaces(int most, int mostWaiting, int largest, long heap) {
        persons = new WorkPlaces(most, mostWaiting);
        large = new WorkPlaces((int) Math.min(most, Math.max(1, heap / 2 / BYTES_PER_BYTE / largest)), mostWaiting);
    }

    /** For a server of 64 request threads, with the memory of this process. */
    public static CallPlaces usual() {
        return of(32, 400, XmlLimits.defaults().maxBytes());
    }

    /** With the memory of this process. */
    public static CallPlaces of(int most, int mostWaiting, int largest) {
        return new CallPlaces(most, mostWaiting, largest, Runtime.getRuntime().maxMemory());
    }

    /** Whether the call has its places; when not, the gate is passed again when it has. */
    public boolean enter(HttpServletRequest request, String person, int bytes) {
        Exchange exchange = Exchange.of(request);
        return exchange.enter(persons, person) && (bytes < LARGE || exchange.enter(large, "large"));
    }
}
