package org.gelato.ce.it.history;

import java.io.IOException;

/** A request was refused for the credentials of its client. */
final class NotAdmittedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotAdmittedException(String message) {
        super(message);
    }
}
