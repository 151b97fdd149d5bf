package org.gelato.ce.cli.terminal;

import java.util.Optional;

/** A command can't be carried out. The message is one line for the user; the command ends with exit code 1. */
public class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CliException(String message) {
        super(message);
    }

    public CliException(String message, Throwable cause) {
        super(message, cause);
    }

    /** What the user can do about it, or about its cause, where that is known. */
    public Optional<String> advice() {
        return getCause() instanceof CliException cause ? cause.advice() : Optional.empty();
    }

    /** The message with the advice. */
    public final String advised() {
        return getMessage() + advice().map(advice -> " (" + advice + ")").orElse("");
    }

    /** Whether the CE may have done what a call asks that failed: then its state says what became of it. */
    public boolean mayHaveBeenDone() {
        return false;
    }
}
