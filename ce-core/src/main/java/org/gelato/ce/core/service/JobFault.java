package org.gelato.ce.core.service;

/**
 * Why one job of a request was refused. Codes and texts per protocol follow contract/cream2-wire.md section 6; the
 * protocol packages translate the kind.
 *
 * @param kind what is wrong
 * @param description human text for kinds that carry their own; null where the protocol has a fixed text
 * @param cause the reason, for kinds that carry one; may be null
 */
public record JobFault(Kind kind, String description, String cause) {
    /** The faults of the wire's result choices. */
    public enum Kind {
        /** No such job, or not the caller's. */
        JOB_UNKNOWN,
        /** The job's state does not fit the filter or the command. */
        STATUS_INVALID,
        DATE_MISMATCH,
        DELEGATION_ID_MISMATCH,
        LEASE_ID_MISMATCH,
        /** Register: the delegation is unknown or has ended. */
        DELEGATION_PROXY,
        /** Anything else; the reason is in the cause. */
        GENERIC
    }

    /** A fault with the protocol's own text. */
    public static JobFault of(Kind kind) {
        return new JobFault(kind, null, null);
    }
}
