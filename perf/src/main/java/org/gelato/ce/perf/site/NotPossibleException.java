package org.gelato.ce.perf.site;

/** A measurement that cannot be made on this machine; the message has the reason. */
public final class NotPossibleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotPossibleException(String message) {
        super(message);
    }
}
