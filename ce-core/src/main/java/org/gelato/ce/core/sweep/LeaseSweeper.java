package org.gelato.ce.core.sweep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.core.command.CancelRequests;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends leases whose time is over and cancels their jobs, at most three times each (docs/developer/protocol/behaviour.md section 7).
 * Called on a schedule from one thread per node; several nodes may sweep at once, because a locked row is another's.
 * Works in bounded transactions; what is left to do stands in the rows, so a sweep that was cut short is finished by the
 * next. A job that is not started yet is left alone, and cancelled when it is started without a renewal.
 */
public final class LeaseSweeper {
    private static final Logger log = LoggerFactory.getLogger(LeaseSweeper.class);
    private static final int TRIES = 3;
    private static final int LEASES = 100;
    private static final int JOBS = 1000;
    private static final Set<JobState> CANCELLED =
            EnumSet.of(JobState.HELD, JobState.IDLE, JobState.PENDING, JobState.RUNNING, JobState.REALLY_RUNNING);

    private final LeaseSweepStore store = new LeaseSweepStore();
    private final Database database;
    private final JobStore jobs;
    private final CancelRequests cancels;
    private final Clock clock;
    private final Duration interval;
    private final Runnable wake;

    /**
     * @param cancels cancels the jobs
     * @param interval between two cancels of the same job
     * @param wake called after commands were committed
     */
    public LeaseSweeper(
            Database database, JobStore jobs, CancelRequests cancels, Clock clock, Duration interval, Runnable wake) {
        this.database = database;
        this.jobs = jobs;
        this.cancels = cancels;
        this.clock = clock;
        this.interval = interval;
        this.wake = wake;
    }

    /**
     * Sweeps once.
     *
     * @return cancels queued
     */
    public int sweep() {
        Instant now = clock.instant();
        try {
            while (database.inTransaction(h -> expire(h, now))) {
                // slices keep the locks short
            }
        } catch (RuntimeException e) {
            if (!Database.isPassing(e) || Database.isOfAll(e)) {
                throw e;
            }
            expireBesideLocks(now);
        }
        int cancelled = 0;
        for (Slice slice = Slice.FIRST; slice.found() > 0; ) {
            slice = database.inTransaction(h -> cancel(h, now));
            cancelled += slice.cancelled();
        }
        if (cancelled > 0) {
            log.info("{} jobs whose lease ran out are cancelled", cancelled);
            wake.run();
        }
        return cancelled;
    }

    /** One transaction's worth of due jobs. */
    private record Slice(int found, int cancelled) {
        static final Slice FIRST = new Slice(1, 0);
    }

    /** A job whose row another session holds keeps its own lease alone from ending. What is more than a slice is left to the next sweep. */
    private void expireBesideLocks(Instant now) {
        List<Integer> leases = database.inTransaction(h -> store.runOut(h, now, LEASES));
        database.batches()
                .write(
                        leases,
                        part -> database.inTransaction(h -> end(h, store.runOutOf(h, now, part), now)),
                        lease -> "the end of lease " + lease,
                        (lease, reason) -> {});
    }

    /** Answers whether there was something. */
    private boolean expire(Handle h, Instant now) {
        return end(h, store.runOut(h, now, LEASES), now);
    }

    private boolean end(Handle h, List<Integer> leases, Instant now) {
        // A lease goes with the last of its jobs: renewed before that, it gets back those that were updated already.
        if (!leases.isEmpty() && store.leave(h, leases, now, JOBS) < JOBS) {
            store.delete(h, leases);
        }
        return !leases.isEmpty();
    }

    private Slice cancel(Handle h, Instant now) {
        Instant next = now.plus(interval);
        List<Integer> waiting = new ArrayList<>();
        TreeMap<Integer, List<Integer>> byTry = new TreeMap<>();
        List<LeaseSweepStore.Due> due = store.due(h, now, JOBS);
        for (LeaseSweepStore.Due job : due) {
            if (CANCELLED.contains(job.state())) {
                byTry.computeIfAbsent(job.cancels() + 1, n -> new ArrayList<>()).add(job.job());
            } else {
                waiting.add(job.job());
            }
        }
        int[] cancelled = {0};
        byTry.forEach((n, ids) -> {
            String reason = "Job cancelled by Lease Manager! (try " + n + "/" + TRIES + ")!";
            store.tried(h, ids, n, n < TRIES ? next : null);
            List<JobRow> rows = jobs.lock(h, ids);
            cancels.request(h, rows, reason, now);
            cancelled[0] += rows.size();
        });
        if (!waiting.isEmpty()) {
            store.putOff(h, waiting, next);
        }
        return new Slice(due.size(), cancelled[0]);
    }
}
