package org.gelato.ce.core.service;

import java.time.Instant;
import java.util.List;

/**
 * Which jobs an operation is about (docs/developer/protocol/cream2-wire.md section 7). All given criteria hold together; several
 * states are alternatives. No ids means all jobs of the caller.
 *
 * @param ids local ids or full job URLs as the client sent them, in its order; never null
 * @param states wire names as the client sent them; unknown ones are dropped by the operation; never null
 * @param from earliest time of registration, inclusive; null for none
 * @param to latest time of registration, inclusive; null for none
 * @param delegationId null or empty for any
 * @param leaseId null or empty for any
 */
public record JobFilter(
        List<String> ids, List<String> states, Instant from, Instant to, String delegationId, String leaseId) {
    public JobFilter {
        ids = List.copyOf(ids);
        states = List.copyOf(states);
    }

    /** All jobs of the caller. */
    public static JobFilter all() {
        return new JobFilter(List.of(), List.of(), null, null, null, null);
    }

    /** Jobs by their ids alone. */
    public static JobFilter ofIds(List<String> ids) {
        return new JobFilter(ids, List.of(), null, null, null, null);
    }
}
