package org.gelato.ce.ws.sandbox;

/** A request that gets an error: the status and the message for the client. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final long presentSize;

    Refusal(int status, String words) {
        this(status, words, -1);
    }

    /** @param presentSize bytes that are there, for a client that wants to go on; -1 where that means nothing */
    Refusal(int status, String words, long presentSize) {
        super(words, null, false, false);
        this.status = status;
        this.presentSize = presentSize;
    }

    int status() {
        return status;
    }

    long presentSize() {
        return presentSize;
    }
}
