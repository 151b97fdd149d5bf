package org.gelato.ce.cli.terminal;

import java.util.Arrays;
import java.util.Optional;

/** What a user can do about a refusal, by the code of it, each of which is here (docs/developer/decisions/0104-fault-codes.md). */
public enum Hint {
    JOB_UNKNOWN("ce list shows your jobs; purged ones are gone"),
    STATUS_INVALID("ce status shows the state the job is in"),
    DATE_MISMATCH(null),
    DELEGATION_ID_MISMATCH(null),
    LEASE_ID_MISMATCH(null),
    DELEGATION_MISSING("delegate first with ce delegate, or submit with -a"),
    DELEGATION_UNKNOWN("delegate first with ce delegate, or submit with -a"),
    DELEGATION_ENDED("make a new proxy, for example with voms-proxy-init, and renew the delegation with ce renew"),
    DELEGATION_EXISTS("ce renew gives it a new proxy"),
    DELEGATION_REFUSED(null),
    LEASE_UNKNOWN("ce lease list shows your leases"),
    LEASE_REFUSED(null),
    QUEUE_UNKNOWN("ce service-info lists the queues"),
    GENERIC(null),
    NOT_AUTHORIZED(null),
    CREDENTIAL_MISSING("make a proxy, for example with voms-proxy-init"),
    CREDENTIAL_REFUSED("where it has ended, make a new proxy, for example with voms-proxy-init"),
    TOKEN_REFUSED("get a new token from its issuer"),
    SCOPE_MISSING("get a token with that scope from its issuer"),
    PROXY_LIMITED("submit with a proxy that is not limited"),
    BANNED("only the site's administrators can lift a ban"),
    NOT_MAPPED("ask the site whether it serves your VO; it sees why with: ce explain"),
    SUBMISSION_DISABLED("ce service-info shows the state; submit later, or to another CE"),
    OVER_QUOTA("remove jobs that have ended: ce purge --all --status DONE-OK"),
    REQUEST_REFUSED(null),
    INVALID_ARGUMENT(null),
    TOO_LARGE("send it in several calls"),
    STATUS_NOT_COMPATIBLE("name states in which jobs can take the command"),
    UNAVAILABLE(null),
    INTERNAL(null);

    private final String advice;

    /** @param advice null where the CE's own words say all there is */
    Hint(String advice) {
        this.advice = advice;
    }

    /** @param code as a CE sent it */
    public static boolean isKnown(String code) {
        return Arrays.stream(values()).anyMatch(hint -> hint.name().equals(code));
    }

    /** @param code as a CE sent it, which may be newer and have others; null for none */
    public static Optional<String> of(String code) {
        return Arrays.stream(values())
                .filter(hint -> hint.name().equals(code))
                .findFirst()
                .map(hint -> hint.advice);
    }
}
