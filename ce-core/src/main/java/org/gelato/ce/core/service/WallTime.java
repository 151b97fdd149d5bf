package org.gelato.ce.core.service;

import java.time.Instant;
import java.util.Optional;
import org.gelato.ce.core.description.JobRequest;

/** Compares the running time that a job requests with the end of its delegation. Pure. */
final class WallTime {
    private WallTime() {}

    /** The warning for the client when a job that started now would outlive its proxy or token; empty when it would not. */
    static Optional<String> warning(JobRequest request, String delegationId, Instant proxyEnd, Instant now) {
        return Optional.ofNullable(request.resources().limits().wallTime())
                .filter(time -> now.plus(time).isAfter(proxyEnd))
                .map(time -> "delegation " + delegationId + " ends at " + proxyEnd + ", before the " + time.toMinutes()
                        + " minutes of wall clock time the job requests are over; renew it in time");
    }
}
