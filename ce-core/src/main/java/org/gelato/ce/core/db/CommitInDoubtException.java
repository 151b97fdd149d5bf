package org.gelato.ce.core.db;

/**
 * The connection was lost, or the server failed, while a transaction was being committed: it may have been committed or
 * not. A caller may repeat the work only where doing it twice is harmless.
 */
public final class CommitInDoubtException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommitInDoubtException(Throwable cause) {
        super("it is unknown whether the database committed the changes: " + cause.getMessage(), cause);
    }
}
