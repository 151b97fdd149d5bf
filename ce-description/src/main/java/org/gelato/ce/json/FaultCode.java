package org.gelato.ce.json;

import java.util.Arrays;
import java.util.Optional;

/**
 * What can be wrong with a call, or with one job of it, in our words where a protocol has none of its own, and what a user can do about it
 * (docs/developer/decisions/0104-fault-codes.md). The names are stored and sent: none is ever renamed.
 */
public enum FaultCode {
    /** No such job, or not the caller's. */
    JOB_UNKNOWN("Job not found", "ce list shows your jobs; purged ones are gone"),
    /** The job's state does not fit the filter or the command. */
    STATUS_INVALID("the job's state does not allow that", "ce status shows the state the job is in"),
    /** The job was not registered in the filter's time. */
    DATE_MISMATCH("the job was registered at another time", null),
    /** The job has another delegation than the filter's. */
    DELEGATION_ID_MISMATCH("the job has another delegation", null),
    /** The job has another lease than the filter's. */
    LEASE_ID_MISMATCH("the job has another lease", null),
    /** The description names no delegation. */
    DELEGATION_MISSING("no delegation is named", "delegate first with ce delegate, or submit with -a"),
    /** The caller has no such delegation. */
    DELEGATION_UNKNOWN("no delegation has the id %s", "delegate first with ce delegate, or submit with -a"),
    /** The delegation's proxy or token has ended. */
    DELEGATION_ENDED(
            "the proxy or token of delegation %s has ended",
            "make a new proxy, for example with voms-proxy-init, and renew the delegation with ce renew"),
    /** The caller has such a delegation already. */
    DELEGATION_EXISTS(null, "ce renew gives it a new proxy"),
    /** The proxy or token, or the id that it is to have, is refused. */
    DELEGATION_REFUSED(null, null),
    /** The caller has no such lease. */
    LEASE_UNKNOWN("no lease has the id %s", "ce lease list shows your leases"),
    /** The lease cannot be set. */
    LEASE_REFUSED(null, null),
    /** The description wants a queue or batch system that is not there or takes no jobs, or names none. */
    QUEUE_UNKNOWN(null, "ce service-info lists the queues"),
    /** The description is refused for another reason, or the job for one that has no code. */
    GENERIC(null, null),
    /** The caller may not do this. */
    NOT_AUTHORIZED(null, null),
    /** The request shows no credential. */
    CREDENTIAL_MISSING(null, "make a proxy, for example with voms-proxy-init"),
    /** The caller's certificate or proxy is not accepted, or has ended. */
    CREDENTIAL_REFUSED(null, "where it has ended, make a new proxy, for example with voms-proxy-init"),
    /** The caller's token is not accepted. */
    TOKEN_REFUSED(null, "get a new token from its issuer"),
    /** The caller's token lacks a capability scope. */
    SCOPE_MISSING(null, "get a token with that scope from its issuer"),
    /** Nobody submits jobs by a limited proxy. */
    PROXY_LIMITED(null, "submit with a proxy that is not limited"),
    /** The caller is banned. */
    BANNED(null, "only the site's administrators can lift a ban"),
    /** Nothing maps the caller to an account. */
    NOT_MAPPED(null, "ask the site whether it serves your VO; it sees why with: ce explain"),
    /** No new jobs now; the cause has the measured value and the limit, or who disabled submission. */
    SUBMISSION_DISABLED(null, "ce service-info shows the state; submit later, or to another CE"),
    /** The caller's stored job descriptions leave no room for more; purged jobs make room. */
    OVER_QUOTA(null, "remove jobs that have ended: ce purge --all --status DONE-OK"),
    /** The request cannot be read, or asks for what there is not. */
    REQUEST_REFUSED(null, null),
    /** An argument of the call is unusable. */
    INVALID_ARGUMENT(null, null),
    /** A call is more than any call may be: nothing of it was done, and its parts may succeed one by one. */
    TOO_LARGE(null, "send it in several calls"),
    /** A status filter leaves nothing the command could be applied to. */
    STATUS_NOT_COMPATIBLE(null, "name states in which jobs can take the command"),
    /** Nothing was done, and the same call may succeed a little later. */
    UNAVAILABLE(null, null),
    /** An internal error; details are in the log, not in the response. */
    INTERNAL(null, null);

    /** The header in which a response names its refusal, or those of the descriptions of a call in their order, separated by commas. */
    public static final String HEADER = "Gelato-Fault";

    private final String words;
    private final String advice;

    /**
     * @param words with {@code %s} for what is refused; null where each refusal has its own
     * @param advice null where the words say all there is
     */
    FaultCode(String words, String advice) {
        this.words = words;
        this.advice = advice;
    }

    /** @param name as another version sent it, which may have other codes; null for none */
    public static Optional<FaultCode> of(String name) {
        return Arrays.stream(values()).filter(code -> code.name().equals(name)).findFirst();
    }

    /**
     * What is said of one thing that is refused for this.
     *
     * @param cause what is refused where the code has words of its own, else the words; may be null
     */
    public String text(String cause) {
        if (words != null) {
            return words.formatted(cause);
        }
        return cause == null ? "refused: " + name() : cause;
    }

    /** What the user of {@code ce} can do about it; empty where the words say all there is. */
    public Optional<String> advice() {
        return Optional.ofNullable(advice);
    }
}
