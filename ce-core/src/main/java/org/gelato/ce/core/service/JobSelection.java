package org.gelato.ce.core.service;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.db.GroupCommit;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateRow;
import org.gelato.ce.json.FaultCode;

/**
 * Which jobs a filter means, and why the others not: existence and ownership first, then state, date, delegation, lease
 * (docs/developer/protocol/cream2-wire.md section 7). Pure.
 */
final class JobSelection {
    private final JobFilter filter;
    private final Set<JobState> states;
    private final Integer owner;

    /**
     * @param owner whose jobs the caller may touch; null for everybody's (an admin)
     * @throws ServiceException STATUS_NOT_COMPATIBLE when the filter names states and none of them exists and is accepted
     */
    JobSelection(JobFilter filter, Integer owner, Set<JobState> accepted) {
        this.filter = filter;
        this.owner = owner;
        this.states = EnumSet.noneOf(JobState.class);
        if (filter.states().isEmpty()) {
            states.addAll(EnumSet.allOf(JobState.class));
        } else {
            filter.states()
                    .forEach(name ->
                            JobState.ofWireName(name).filter(accepted::contains).ifPresent(states::add));
            if (states.isEmpty()) {
                throw new ServiceException(
                        FaultCode.STATUS_NOT_COMPATIBLE, "no job in one of the given states can take the command");
            }
        }
    }

    /** Whose turn a call with this selection takes in a shared transaction. */
    List<?> holder() {
        return owner == null ? GroupCommit.ONE : List.of(owner);
    }

    /** The row numbers the filter names, each with the ids as the client wrote them; ids no job can have map to null. */
    Map<String, Integer> rows(JobNumbers numbers) {
        Map<String, Integer> rows = new LinkedHashMap<>();
        for (String id : filter.ids()) {
            Optional<Integer> row = numbers.row(id);
            rows.put(id.substring(id.lastIndexOf('/') + 1), row.orElse(null));
        }
        return rows;
    }

    /** Why the filter does not mean this job; null when it does. */
    FaultCode mismatch(JobRow job) {
        if (job == null) {
            return FaultCode.JOB_UNKNOWN;
        }
        FaultCode fault = mismatch(job.registration().ownerId(), job.state());
        if (fault != null) {
            return fault;
        }
        if ((filter.from() != null && job.registration().at().isBefore(filter.from()))
                || (filter.to() != null && job.registration().at().isAfter(filter.to()))) {
            return FaultCode.DATE_MISMATCH;
        }
        if (isGiven(filter.delegationId())
                && !filter.delegationId().equals(job.registration().delegationId())) {
            return FaultCode.DELEGATION_ID_MISMATCH;
        }
        if (isGiven(filter.leaseId())
                && !filter.leaseId().equals(job.registration().leaseId())) {
            return FaultCode.LEASE_ID_MISMATCH;
        }
        return null;
    }

    /** Whether owner and state alone decide about each job. */
    boolean isByState() {
        return filter.from() == null
                && filter.to() == null
                && !isGiven(filter.delegationId())
                && !isGiven(filter.leaseId());
    }

    /** {@link #mismatch(JobRow)} for a filter that {@link #isByState}. */
    FaultCode mismatch(JobStateRow job) {
        return job == null
                ? FaultCode.JOB_UNKNOWN
                : mismatch(job.ownerId(), job.status().state());
    }

    private FaultCode mismatch(int ownerId, JobState state) {
        if (owner != null && ownerId != owner) {
            return FaultCode.JOB_UNKNOWN;
        }
        return states.contains(state) ? null : FaultCode.STATUS_INVALID;
    }

    /** Those of these states that the filter does not exclude. */
    Set<JobState> states(Set<JobState> among) {
        Set<JobState> both = EnumSet.noneOf(JobState.class);
        among.stream().filter(states::contains).forEach(both::add);
        return both;
    }

    /** Those of the rows that the filter means. */
    List<JobRow> matching(Collection<JobRow> rows) {
        return rows.stream().filter(row -> mismatch(row) == null).toList();
    }

    static Map<Integer, JobRow> byId(Collection<JobRow> rows) {
        Map<Integer, JobRow> map = new HashMap<>();
        rows.forEach(r -> map.put(r.id(), r));
        return map;
    }

    private static boolean isGiven(String text) {
        return text != null && !text.isEmpty();
    }
}
