package org.gelato.ce.it.history.nemesis;

import java.io.IOException;

/** A request was refused for the credentials of its client. */
public final class NotAdmittedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotAdmittedException(String message) {
        super(message);
    }
}
