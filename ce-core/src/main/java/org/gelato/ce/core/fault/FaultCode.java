package org.gelato.ce.core.fault;

/**
 * What can be wrong with a call, or with one job of it. Each protocol has its texts for them in one table, and clients have their
 * advice by the names, which are stored and sent: none is ever renamed.
 */
public enum FaultCode {
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
    /** The description names no delegation. */
    DELEGATION_MISSING,
    /** The caller has no such delegation. */
    DELEGATION_UNKNOWN,
    /** The delegation's proxy or token has ended. */
    DELEGATION_ENDED,
    /** The caller has such a delegation already. */
    DELEGATION_EXISTS,
    /** The proxy or token, or the id that it is to have, is refused. */
    DELEGATION_REFUSED,
    /** The caller has no such lease. */
    LEASE_UNKNOWN,
    /** The lease cannot be set. */
    LEASE_REFUSED,
    /** The description wants a queue or batch system that is not there or takes no jobs, or names none. */
    QUEUE_UNKNOWN,
    /** The description is refused for another reason, or the job for one that has no code. */
    GENERIC,
    /** The caller may not do this. */
    NOT_AUTHORIZED,
    /** The request shows no credential. */
    CREDENTIAL_MISSING,
    /** The caller's certificate or proxy is not accepted, or has ended. */
    CREDENTIAL_REFUSED,
    /** The caller's token is not accepted. */
    TOKEN_REFUSED,
    /** The caller's token lacks a capability scope. */
    SCOPE_MISSING,
    /** Nobody submits jobs by a limited proxy. */
    PROXY_LIMITED,
    /** The caller is banned. */
    BANNED,
    /** Nothing maps the caller to an account. */
    NOT_MAPPED,
    /** No new jobs now; the cause has the measured value and the limit, or who disabled submission. */
    SUBMISSION_DISABLED,
    /** The caller's stored job descriptions leave no room for more; purged jobs make room. */
    OVER_QUOTA,
    /** The request cannot be read, or asks for what there is not. */
    REQUEST_REFUSED,
    /** An argument of the call is unusable. */
    INVALID_ARGUMENT,
    /** A call is more than any call may be: nothing of it was done, and its parts may succeed one by one. */
    TOO_LARGE,
    /** A status filter leaves nothing the command could be applied to. */
    STATUS_NOT_COMPATIBLE,
    /** Nothing was done, and the same call may succeed a little later. */
    UNAVAILABLE,
    /** An internal error; details are in the log, not in the response. */
    INTERNAL
}
