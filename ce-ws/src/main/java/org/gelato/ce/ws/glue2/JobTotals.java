package org.gelato.ce.ws.glue2;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;

/**
 * How many jobs of a kind there are. The total is the sum of the others.
 *
 * @param staging registered and not yet started
 * @param waitingHere to be handed over
 */
record JobTotals(long running, long waiting, long staging, long waitingHere) {
    private static final Set<JobState> WAITING_HERE = Set.of(JobState.PENDING);
    private static final Set<JobState> WAITING = Set.of(JobState.IDLE, JobState.HELD);
    private static final Set<JobState> RUNNING = Set.of(JobState.RUNNING, JobState.REALLY_RUNNING);
    private static final Set<JobState> STAGING = Set.of(JobState.REGISTERED);

    /** Counts those that match; empty when no jobs are known. */
    static Optional<JobTotals> of(Optional<List<JobStore.Present>> jobs, Predicate<JobStore.Present> which) {
        return jobs.map(all -> new JobTotals(
                sum(all, which, RUNNING),
                sum(all, which, WAITING),
                sum(all, which, STAGING),
                sum(all, which, WAITING_HERE)));
    }

    private static long sum(List<JobStore.Present> jobs, Predicate<JobStore.Present> which, Set<JobState> states) {
        return jobs.stream()
                .filter(job -> states.contains(job.state()))
                .filter(which)
                .mapToLong(JobStore.Present::jobs)
                .sum();
    }

    void addTo(Entity.Builder entity) {
        entity.with("TotalJobs", running + waiting + staging + waitingHere)
                .with("RunningJobs", running)
                .with("WaitingJobs", waiting)
                .with("StagingJobs", staging)
                .with("PreLRMSWaitingJobs", waitingHere);
    }
}
