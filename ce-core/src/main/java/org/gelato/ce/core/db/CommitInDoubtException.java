package org.gelato.ce.core.db;

/**
 * The connection was lost, or the server failed, while a transaction was being committed: it may have been committed or
 * not. Whoever does the same again must be sure that doing it twice is harmless.
 */
public final class CommitInDoubtException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommitInDoubtException(Throwable cause) {
        super("it is not known whether the database took the changes: " + cause.getMessage(), cause);
    }
}
