package org.gelato.ce.core.event;

import java.time.Instant;
import java.util.Set;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;

/**
 * Which events a caller wants; all criteria hold together.
 *
 * @param fromId smallest id, inclusive, not negative
 * @param toId largest id, inclusive; {@link Long#MAX_VALUE} for an open end
 * @param from earliest time of the change, inclusive; null for none
 * @param to latest time of the change, inclusive; null for none
 * @param states the states entered; empty for any
 * @param iceId only jobs that this WMS instance registered; null for any job
 * @param size most events wanted; 0 and less stand for 100, more than 500 for 500 (docs/developer/protocol/cream2-wire.md section 7)
 */
public record EventQuery(
        long fromId, long toId, Instant from, Instant to, Set<JobState> states, String iceId, int size) {
    private static final int USUAL = 100;
    private static final int MAX = 500;
    private static final int MAX_OF_ICE_ID = 255;

    public EventQuery {
        states = Set.copyOf(states);
        // as it is stored at register
        iceId = iceId == null || iceId.isBlank() ? null : JobStore.cut(iceId, MAX_OF_ICE_ID);
        size = size <= 0 ? USUAL : Math.min(size, MAX);
    }

    /** Whether the query filters by more than ids and states, which have indexes. */
    boolean isSifted() {
        return from != null || to != null || iceId != null;
    }
}
