package org.gelato.ce.ws.web;

import jakarta.servlet.ServletRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * What a connector is to run when it sees the client of a request go that waits for something of the CE's own. Made by the connector, as
 * a request attribute; without one, a request whose client has gone waits until its patience ends. Thread-safe.
 */
public final class Departure {
    /** Name of the request attribute. */
    public static final String ATTRIBUTE = Departure.class.getName();

    private volatile Runnable wanted;

    /** To be run by any thread; null while the request does not wait. */
    public Runnable wanted() {
        return wanted;
    }

    /** Completes when a thing is there or has failed, when the patience is over, or when the client is seen to go. */
    public static CompletableFuture<Void> orOver(ServletRequest request, CompletionStage<?> thing, Duration patience) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (request.getAttribute(ATTRIBUTE) instanceof Departure departure) {
            departure.wanted = () -> over.complete(null);
            over.whenComplete((done, failure) -> departure.wanted = null);
        }
        thing.whenComplete((found, failure) -> over.complete(null));
        return over.completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
