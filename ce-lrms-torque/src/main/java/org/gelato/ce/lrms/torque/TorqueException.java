package org.gelato.ce.lrms.torque;

/** The server was not reached, did not answer in time or answered what cannot be read: nothing is known, ask again later. */
public class TorqueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TorqueException(String message) {
        super(message);
    }

    public TorqueException(String message, Throwable cause) {
        super(message, cause);
    }
}
