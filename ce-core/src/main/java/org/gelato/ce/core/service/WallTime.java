package org.gelato.ce.core.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Compares the running time that a job requests with the end of its delegation. Pure. */
final class WallTime {
    private WallTime() {}

    /**
     * The warning for the client when a job that started now would outlive its proxy or token; empty when it would not.
     *
     * @param requested running time; null when the job requests none
     */
    static Optional<String> warning(Duration requested, String delegationId, Instant proxyEnd, Instant now) {
        return Optional.ofNullable(requested)
                .filter(time -> now.plus(time).isAfter(proxyEnd))
                .map(time -> "delegation " + delegationId + " ends at " + proxyEnd + ", before the " + time.toMinutes()
                        + " minutes of wall clock time the job requests are over; renew it in time");
    }
}
