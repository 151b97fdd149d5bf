package org.gelato.ce.cli.wire;

import org.gelato.ce.cli.terminal.CliException;

/** The CE could not be reached, or the connection broke before the response: the same call may work later. */
public final class ConnectionFailure extends CliException {
    private static final long serialVersionUID = 1L;

    public ConnectionFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
