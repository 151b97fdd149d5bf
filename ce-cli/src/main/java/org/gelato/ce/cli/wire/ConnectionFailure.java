package org.gelato.ce.cli.wire;

import org.gelato.ce.cli.terminal.CliException;

/** The CE could not be reached, or the connection broke before the response: the same call may work later. */
public final class ConnectionFailure extends CliException {
    private static final long serialVersionUID = 1L;

    private final boolean mayHaveArrived;

    /** After which it is not known whether the CE did what the call asks. */
    public ConnectionFailure(String message, Throwable cause) {
        this(message, cause, true);
    }

    /** @param mayHaveArrived false where it is certain that the CE did nothing of the call */
    public ConnectionFailure(String message, Throwable cause, boolean mayHaveArrived) {
        super(message, cause);
        this.mayHaveArrived = mayHaveArrived;
    }

    /** Whether the CE may have done what the call asks. */
    public boolean mayHaveArrived() {
        return mayHaveArrived;
    }
}
