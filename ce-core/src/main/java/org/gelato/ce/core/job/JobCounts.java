package org.gelato.ce.core.job;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** What became of jobs on this node since its start, counted when it is committed. Thread-safe. */
public final class JobCounts {
    private final LongAdder registered = new LongAdder();
    private final LongAdder handedOver = new LongAdder();
    private final Map<JobState, LongAdder> ended = new EnumMap<>(JobState.class);

    private final LatencyHistogram handOverTimes = new LatencyHistogram();

    JobCounts() {
        JobState.FINAL.forEach(state -> ended.put(state, new LongAdder()));
    }

    /** Jobs that were registered. */
    public long registered() {
        return registered.sum();
    }

    /** Counts jobs whose registration was committed. */
    public void registered(int jobs) {
        registered.add(jobs);
    }

    /** Jobs that reached the batch system. */
    public long handedOver() {
        return handedOver.sum();
    }

    /** How long jobs took from their start to the batch system. */
    public LatencyHistogram handOverTimes() {
        return handOverTimes;
    }

    /**
     * Jobs that ended in a state; one whose end was corrected counts as it ended first.
     *
     * @param state a final one
     */
    public long ended(JobState state) {
        return ended.get(state).sum();
    }

    /** Counts changes that were committed; a job reaches the batch system once, whatever changes it has here. */
    void add(Collection<JobStore.Stored> changes) {
        Set<Integer> reached = new HashSet<>();
        for (JobStore.Stored s : changes) {
            JobState to = s.change().state();
            if (s.job().state() == JobState.PENDING
                    && JobState.IN_LRMS.contains(to)
                    && reached.add(s.job().id())) {
                handedOver.increment();
                handOverTimes.record(
                        Duration.between(s.job().since(), s.change().at()));
            }
            // a correction is the end of no other job
            if (to.isFinal() && !s.job().state().isFinal()) {
                ended.get(to).increment();
            }
        }
    }
}
