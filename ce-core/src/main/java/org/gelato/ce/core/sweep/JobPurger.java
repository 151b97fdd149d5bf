package org.gelato.ce.core.sweep;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues JOB_PURGE for jobs that have been in their state for longer than the policy keeps them; so also go registered
 * jobs whose client never learnt their ids. Called on a schedule from one thread per node; several nodes may run at once.
 * A thousand jobs per transaction, four statements each; a run that
 * was cut short leaves whole slices queued, and the next run passes over them.
 */
public final class JobPurger {
    // Two ranges of job_state: the rest of the last slice's moment, and what came after. The index holds all three
    // columns.
    public static final String OLD = """
            SELECT id FROM job WHERE state = :state
              AND ((state_since = :from AND id > :after) OR (state_since > :from AND state_since < :before))
            ORDER BY state_since, id LIMIT :limit
            """;

    private static final Logger log = LoggerFactory.getLogger(JobPurger.class);
    private static final Instant BEGINNING = Instant.EPOCH;

    private final PurgeQueue purges;
    private final PurgePolicy policy;
    private final Clock clock;

    /** Where the next slice begins. */
    private record Position(Instant since, int id, boolean end) {}

    /** What a slice did. */
    private record Slice(Position next, int queued) {}

    public JobPurger(PurgeQueue purges, PurgePolicy policy, Clock clock) {
        this.purges = purges;
        this.policy = policy;
        this.clock = clock;
    }

    /**
     * Applies the policy once. A rule that fails keeps none of the others from being applied.
     *
     * @return purges queued
     * @throws RuntimeException of the first rule that failed, after all
     */
    public int sweep() {
        int queued = 0;
        RuntimeException first = null;
        for (Map.Entry<JobState, Instant> rule : policy.cutOffs(clock.instant()).entrySet()) {
            try {
                queued += apply(rule.getKey(), rule.getValue());
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (queued > 0) {
            log.info("{} jobs are purged by policy", queued);
        }
        if (first != null) {
            throw first;
        }
        return queued;
    }

    private int apply(JobState state, Instant before) {
        int queued = 0;
        Position position = new Position(BEGINNING, 0, false);
        while (!position.end()) {
            Slice slice = queue(state, before, position);
            queued += slice.queued();
            position = slice.next();
        }
        return queued;
    }

    private Slice queue(JobState state, Instant before, Position from) {
        List<Integer> old = purges.database()
                .read(h -> h.createQuery(OLD)
                        .bind("state", state.code())
                        .bind("from", from.since())
                        .bind("after", from.id())
                        .bind("before", before)
                        .bind("limit", JobStore.SLICE)
                        .mapTo(Integer.class)
                        .list());
        if (old.isEmpty()) {
            return new Slice(new Position(from.since(), from.id(), true), 0);
        }
        PurgeQueue.Queued queued =
                purges.queue(old, job -> job.state() == state && job.since().isBefore(before));
        Position last = from;
        for (JobRow job : queued.due()) {
            if (job.since().isAfter(last.since()) || (job.since().equals(last.since()) && job.id() > last.id())) {
                last = new Position(job.since(), job.id(), false);
            }
        }
        boolean end = old.size() < JobStore.SLICE || last.equals(from);
        return new Slice(
                new Position(last.since(), last.id(), end), queued.purges().size());
    }
}
