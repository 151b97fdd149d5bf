package org.gelato.ce.ws.http;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One thing the CE needs to do its work. */
public interface HealthCheck {
    /** The name in the response of {@code /health/ready}. */
    String name();

    /** Checks; returns at once. A future that fails counts as not ok. */
    CompletableFuture<Outcome> check();

    /** A check by its name and what it does, which returns at once. */
    static HealthCheck of(String name, Supplier<CompletableFuture<Outcome>> probe) {
        return new HealthCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public CompletableFuture<Outcome> check() {
                return probe.get();
            }
        };
    }

    /** A check that finds its outcome at once. */
    static HealthCheck ofState(String name, Supplier<Outcome> state) {
        return of(name, () -> CompletableFuture.completedFuture(state.get()));
    }

    /**
     * What was found.
     *
     * @param ok whether the CE can work
     * @param degraded whether some of its users can't be served while it works
     * @param detail what does not work, without secrets
     */
    record Outcome(boolean ok, boolean degraded, String detail) {
        public Outcome(boolean ok, String detail) {
            this(ok, false, detail);
        }

        /** The CE works, and not for everybody. */
        public static Outcome degraded(String detail) {
            return new Outcome(true, true, detail);
        }
    }
}
