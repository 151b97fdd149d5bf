package org.gelato.ce.core.fault;

import java.util.concurrent.CompletionException;

/** What made a future fail. */
public final class Causes {
    private Causes() {}

    /** The failure itself where a stage of futures has wrapped it; null for null. */
    public static Throwable of(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
