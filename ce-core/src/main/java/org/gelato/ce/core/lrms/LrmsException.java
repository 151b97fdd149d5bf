package org.gelato.ce.core.lrms;

/** The batch system was not reached, did not respond in time or returned what cannot be parsed: nothing is known, retry later. */
public class LrmsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LrmsException(String message) {
        super(message);
    }

    public LrmsException(String message, Throwable cause) {
        super(message, cause);
    }
}
