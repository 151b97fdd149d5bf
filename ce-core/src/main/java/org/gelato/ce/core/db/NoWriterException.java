package org.gelato.ce.core.db;

import java.sql.SQLNonTransientConnectionException;

/**
 * A server answers and must not be written to: another one is the cluster's writer, or it breaks a rule of {@link ClusterRules}. Its
 * message is one line that says what to do.
 */
final class NoWriterException extends SQLNonTransientConnectionException {
    private static final long serialVersionUID = 1L;
    private static final String REJECTED = "08004";

    NoWriterException(String message) {
        super(message, REJECTED);
    }
}
