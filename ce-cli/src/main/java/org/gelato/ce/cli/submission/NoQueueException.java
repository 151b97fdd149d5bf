package org.gelato.ce.cli.submission;

import java.util.Optional;
import org.gelato.ce.cli.wire.Endpoint;

/** What was given as a queue is none. The message says what to write. */
final class NoQueueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient Endpoint ce;

    /** @param ce the CE of whose queues one was meant; null where that is not known */
    NoQueueException(String message, Endpoint ce, Throwable cause) {
        super(message, cause);
        this.ce = ce;
    }

    /** The CE of whose queues one was meant, as far as that is known. */
    Optional<Endpoint> ce() {
        return Optional.ofNullable(ce);
    }
}
