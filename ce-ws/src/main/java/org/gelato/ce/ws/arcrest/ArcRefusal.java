package org.gelato.ce.ws.arcrest;

/** A request that is answered with a status and the reason alone. */
final class ArcRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** @param reason for the client: what is wrong, and what to do */
    ArcRefusal(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
