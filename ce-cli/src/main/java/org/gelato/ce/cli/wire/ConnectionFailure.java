package org.gelato.ce.cli.wire;

import java.util.Optional;
import org.gelato.ce.cli.terminal.CliException;

/** The CE could not be reached, or its response was lost, wholly or in part: the same call may work later. */
public final class ConnectionFailure extends CliException {
    private static final long serialVersionUID = 1L;

    private final boolean mayHaveBeenDone;
    private final String advice;

    /** After which it is not known whether the CE did what the call asks. */
    public ConnectionFailure(String message, Throwable cause) {
        this(message, cause, true);
    }

    /** @param mayHaveBeenDone false where it is certain that the CE did nothing of the call */
    public ConnectionFailure(String message, Throwable cause, boolean mayHaveBeenDone) {
        this(message, cause, mayHaveBeenDone, null);
    }

    /** @param advice what the user can do; null for nothing */
    public ConnectionFailure(String message, Throwable cause, boolean mayHaveBeenDone, String advice) {
        super(message, cause);
        this.mayHaveBeenDone = mayHaveBeenDone;
        this.advice = advice;
    }

    @Override
    public Optional<String> advice() {
        return Optional.ofNullable(advice);
    }

    @Override
    public boolean mayHaveBeenDone() {
        return mayHaveBeenDone;
    }
}
