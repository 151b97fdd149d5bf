package org.gelato.ce.lrms.slurm;

import org.gelato.ce.core.lrms.LrmsException;

/** slurmrestd can't be used for a request, which had no effect. */
final class RestUnusableException extends LrmsException {
    private static final long serialVersionUID = 1L;

    /** What else slurmrestd can't be used for. */
    enum Scope {
        /** This request will never be accepted. */
        REQUEST,
        /** Nothing else: the next try may succeed. */
        NOW,
        /** Any request of the account. */
        ACCOUNT
    }

    private final Scope scope;

    RestUnusableException(String message, Scope scope) {
        super(message);
        this.scope = scope;
    }

    Scope scope() {
        return scope;
    }
}
