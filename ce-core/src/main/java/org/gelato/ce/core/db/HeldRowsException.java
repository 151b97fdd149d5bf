package org.gelato.ce.core.db;

import java.sql.SQLException;

/** Nothing was written, as another session holds rows of it: a passing fault of these rows alone. */
public final class HeldRowsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Without a trace, as it is kept and thrown again. */
    public HeldRowsException(SQLException cause) {
        super("another session holds its rows: " + cause.getMessage(), cause, false, false);
    }
}
