package org.gelato.ce.ws.http;

import java.util.concurrent.CompletableFuture;

/** One thing the CE needs to do its work. */
public interface HealthCheck {
    /** A word for the answer of {@code /health/ready}. */
    String name();

    /** Looks; returns at once. A future that fails counts as not ok. */
    CompletableFuture<Outcome> check();

    /**
     * What was found.
     *
     * @param detail shown to anybody: says what does not work, and no secret
     */
    record Outcome(boolean ok, String detail) {}
}
