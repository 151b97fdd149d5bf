package org.gelato.ce.core.service;

/**
 * Why one job of a request was refused. Each protocol has its own codes and texts for the kinds.
 *
 * @param kind what is wrong
 * @param cause for a delegation or lease that is unknown or has ended its id as the client gave it; for {@link
 *     Kind#DELEGATION_REFUSED} and {@link Kind#GENERIC} the reason; else null
 */
public record JobFault(Kind kind, String cause) {
    /** What can be wrong with one job. The names are stored. */
    public enum Kind {
        /** No such job, or not the caller's. */
        JOB_UNKNOWN,
        /** The job's state does not fit the filter or the command. */
        STATUS_INVALID,
        /** The job was not registered in the filter's time. */
        DATE_MISMATCH,
        /** The job has another delegation than the filter's. */
        DELEGATION_ID_MISMATCH,
        /** The job has another lease than the filter's. */
        LEASE_ID_MISMATCH,
        /** Register: the description names no delegation. */
        DELEGATION_MISSING,
        /** Register: the caller has no such delegation. */
        DELEGATION_UNKNOWN,
        /** Register: the delegation's proxy has ended. */
        DELEGATION_ENDED,
        /** Register: the proxy that came with the description is refused. */
        DELEGATION_REFUSED,
        /** Register: the caller has no such lease. */
        LEASE_UNKNOWN,
        /** Any other fault. */
        GENERIC
    }

    /** A fault described by its kind alone. */
    public static JobFault of(Kind kind) {
        return new JobFault(kind, null);
    }
}
