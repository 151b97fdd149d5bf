package org.gelato.ce.lrms.torque;

/** The server was not reached, did not respond in time or returned what cannot be parsed: nothing is known, retry later. */
public class TorqueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TorqueException(String message) {
        super(message);
    }

    public TorqueException(String message, Throwable cause) {
        super(message, cause);
    }
}
