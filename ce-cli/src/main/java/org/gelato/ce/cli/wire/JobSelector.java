package org.gelato.ce.cli.wire;

import java.time.Instant;
import java.util.List;

/**
 * Which jobs of the user an operation is about; all criteria hold together (docs/developer/protocol/cream2-wire.md section 7).
 *
 * @param localIds empty for every job that meets the other criteria
 * @param states names of the wire, any of which will do; empty for any
 * @param from earliest registration, inclusive; null for any
 * @param to latest registration, inclusive; null for any
 * @param delegationId null for any
 * @param leaseId null for any
 * @param naming what no protocol knows: looked up before the request, see {@link MessageCalls#find}
 * @param ending likewise: read from the states
 */
public record JobSelector(
        List<String> localIds,
        List<String> states,
        Instant from,
        Instant to,
        String delegationId,
        String leaseId,
        JobNaming naming,
        JobEnding ending) {
    /** Every job of the user: only for callers who mean it. */
    public static final JobSelector ALL = new JobSelector(List.of(), List.of(), null, null, null, null);

    private static final List<String> NOT_ENDED = List.of("PENDING", "IDLE", "RUNNING", "REALLY-RUNNING", "HELD");

    /** Of any name and end. */
    public JobSelector(
            List<String> localIds, List<String> states, Instant from, Instant to, String delegationId, String leaseId) {
        this(localIds, states, from, to, delegationId, leaseId, JobNaming.NONE, JobEnding.ANY);
    }

    public JobSelector {
        localIds = List.copyOf(localIds);
        states = List.copyOf(states);
    }

    /**
     * Sees that names and ends were looked up: a request without them would be about more jobs than are meant.
     *
     * @throws IllegalStateException when they were not
     */
    public void requireLookedUp() {
        if (needsLookup()) {
            throw new IllegalStateException("names and ends of jobs are not looked up");
        }
    }

    /** Whether it has criteria that are to be looked up before the request. */
    public boolean needsLookup() {
        return naming.isGiven() || ending.isGiven();
    }

    /** What a protocol can be asked for before the rest is looked up; of all jobs. */
    public JobSelector plain() {
        return new JobSelector(
                List.of(),
                states.isEmpty() && ending.isGiven() ? ending.states() : states,
                from,
                to,
                delegationId,
                leaseId);
    }

    /** Of those that meet these criteria the jobs that can be cancelled. */
    public JobSelector notEnded() {
        return new JobSelector(localIds, NOT_ENDED, from, to, delegationId, leaseId, naming, ending);
    }

    /** Exactly these jobs. */
    public static JobSelector of(List<String> localIds) {
        return ALL.among(localIds);
    }

    /** Whether it is about some of the jobs that have a name, or all of them, only. */
    public boolean hasOnlyNaming() {
        return !ending.isGiven()
                && states.isEmpty()
                && from == null
                && to == null
                && delegationId == null
                && leaseId == null;
    }

    /** Of criteria besides the name, as the end of a sentence; empty without any. */
    public String besidesNaming() {
        if (hasOnlyNaming()) {
            return "";
        }
        return states.equals(NOT_ENDED) ? " and has not ended" : " and meets the other criteria";
    }

    /** Those of these jobs that meet the criteria. */
    public JobSelector among(List<String> ids) {
        // No ids would mean every job of the user: never by accident.
        if (ids.isEmpty()) {
            throw new IllegalStateException("no jobs to request");
        }
        return new JobSelector(ids, states, from, to, delegationId, leaseId);
    }
}
