package org.gelato.ce.ws;

/** Makes the parts of a Computing Element from its configuration and connects them: the one place that knows them all. */
public final class Wiring {
    private Wiring() {}

    /**
     * Makes the parts.
     *
     * @throws IllegalStateException when a part cannot be made, with what to do about it
     */
    @SuppressWarnings("DoNotCallSuggester") // The parts come from their own modules.
    public static Gelato.Parts parts(Gelato.Foundation foundation) {
        throw new IllegalStateException(
                "this build holds no job service for " + foundation.config().baseUrl());
    }
}
