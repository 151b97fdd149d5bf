package org.gelato.ce.perf.measure;

import java.util.Map;
import org.gelato.ce.core.job.JobState;

/**
 * One sample of everything.
 *
 * @param seconds since the sampler began
 * @param ce its JVM; nothing held while it is not running
 * @param helper helper and workers
 * @param database the server
 * @param batch the batch system's daemons, and CPU of the commands that workers ran and waited for
 * @param states jobs by state; states without jobs are missing
 */
public record SiteSample(
        double seconds,
        ProcessUsage ce,
        ProcessUsage helper,
        ProcessUsage database,
        ProcessUsage batch,
        Map<JobState, Long> states) {
    public SiteSample {
        states = Map.copyOf(states);
    }

    public long in(JobState state) {
        return states.getOrDefault(state, 0L);
    }

    /** Jobs that are started and do not run yet. */
    public long queued() {
        return in(JobState.PENDING) + in(JobState.IDLE) + in(JobState.HELD);
    }

    public long running() {
        return in(JobState.RUNNING) + in(JobState.REALLY_RUNNING);
    }

    /** Jobs that have ended and are stored. */
    public long ended() {
        return JobState.FINAL.stream().mapToLong(this::in).sum();
    }

    /** CPU of JVM, helper and database together since the first sample. */
    public long cpuMillis() {
        return ce.cpuMillis() + helper.cpuMillis() + database.cpuMillis();
    }
}
