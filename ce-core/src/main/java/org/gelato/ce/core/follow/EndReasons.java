package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.intake.SignalledJobs;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the batch system's reason beside the wrapper's report where the wrapper could report only a signal: a time
 * limit, an administrator and a node that shuts down are alike from within a job. The state stays what the wrapper made
 * it, for it is final.
 *
 * <p>Used by the poller's thread. One look-up for all such jobs, and no statement and no process while there are none. What it
 * waits for is in memory: where the CE is killed before the batch system shows the end, the wrapper's report stands alone. What the
 * batch system measured is stored with it.
 */
final class EndReasons {
    private static final Logger log = LoggerFactory.getLogger(EndReasons.class);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** A batch system under load shows ended jobs as running for a minute. */
    static final int MAX_TRIES = 30;

    private final Lrms lrms;
    private final Database database;
    private final JobStore jobs;
    private final UsageRecords usage = new UsageRecords();
    private final SandboxStore sandboxes;
    private final JobStateMachine machine;
    private final Clock clock;
    private final Map<Integer, Waiting> waiting = new HashMap<>();

    private record Waiting(JobRow row, int tries) {}

    EndReasons(
            Lrms lrms, Database database, JobStore jobs, SandboxStore sandboxes, JobStateMachine machine, Clock clock) {
        this.lrms = lrms;
        this.database = database;
        this.jobs = jobs;
        this.sandboxes = sandboxes;
        this.machine = machine;
        this.clock = clock;
    }

    /** Looks for the reasons of these and of earlier ones; what has none yet is tried again at the next call. */
    void find(Collection<JobRow> signalled) throws InterruptedException {
        signalled.forEach(row -> waiting.put(row.id(), new Waiting(row, 0)));
        if (waiting.isEmpty()) {
            return;
        }
        Map<Integer, SandboxStore.Place> places = sandboxes.of(waiting.keySet());
        waiting.keySet().retainAll(places.keySet()); // the others are purged
        waiting.replaceAll((id, one) -> new Waiting(one.row(), one.tries() + 1));
        try {
            Map<Integer, LrmsJob> ends = reported(places);
            store(ends, places);
            waiting.keySet().removeAll(ends.keySet());
        } catch (ExecutionException | TimeoutException e) {
            log.warn("{} did not report why {} jobs got a signal: {}", lrms.name(), waiting.size(), e.toString());
        }
        waiting.values().removeIf(one -> one.tries() >= MAX_TRIES);
    }

    private Map<Integer, LrmsJob> reported(Map<Integer, SandboxStore.Place> places)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, LrmsJob> history = lrms.find(waiting.values().stream()
                        .map(one -> sought(one.row(), places.get(one.row().id())))
                        .toList())
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        Map<Integer, LrmsJob> ends = new HashMap<>();
        places.forEach((id, place) -> {
            LrmsJob job = history.get(place.id().tag());
            if (job != null && job.state().isEnd()) {
                ends.put(id, job);
            }
        });
        return ends;
    }

    private static Lrms.Sought sought(JobRow row, SandboxStore.Place place) {
        return new Lrms.Sought(place.id().tag(), place.account(), row.lrmsId());
    }

    private static String words(LrmsJob job) {
        if (job.reason() != null) {
            return job.reason();
        }
        return switch (job.state()) {
            case CANCELLED -> "cancelled";
            case FAILED -> "failed";
            default -> "exit code " + (job.exitCode() == null ? "unknown" : job.exitCode());
        };
    }

    private void store(Map<Integer, LrmsJob> ends, Map<Integer, SandboxStore.Place> places) {
        if (ends.isEmpty()) {
            return;
        }
        List<UsageRecords.Report> reports = new ArrayList<>();
        ends.forEach((id, job) -> {
            if (job.usage() != null) {
                reports.add(new UsageRecords.Report(places.get(id).id(), job.lrmsId(), job.usage()));
            }
        });
        database.inTransaction(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            for (JobRow row : jobs.lock(h, ends.keySet())) {
                if (row.state() == JobState.DONE_FAILED && SignalledJobs.isSignal(row.failureReason())) {
                    String reason = lrms.name() + " says: " + words(ends.get(row.id()));
                    machine.failed(row, clock.instant(), null, reason)
                            .ifPresent(c -> changes.add(new JobStore.Stored(row, c, null, null)));
                }
            }
            jobs.store(h, changes);
            return usage.merge(h, reports);
        });
    }
}
