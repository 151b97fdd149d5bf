package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.intake.ReportedEnds;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the ends that wrappers have reported and that waited for the batch system's word ({@link ReportedEnds}), as soon as the batch
 * system shows the job as ended, shows it no more, or as waiting again. One that it shows as running for {@link #PATIENCE} is stored
 * without its word. All of it is in the database, so a crash forgets nothing. Confined to the poller's thread.
 */
final class OpenEnds {
    private static final Logger log = LoggerFactory.getLogger(OpenEnds.class);
    /** Batch systems that clean up after many jobs show them as running for a minute. */
    static final Duration PATIENCE = Duration.ofMinutes(5);
    /** Rounds between two looks for those that have waited for too long. */
    private static final int ROUNDS = 10;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Lrms lrms;
    private final Database database;
    private final JobStore jobs;
    private final SandboxStore sandboxes;
    private final EndDecision decision;
    private final BatchWords words;
    private final Clock clock;
    private final ReportedEnds reported = new ReportedEnds();
    private int rounds;

    OpenEnds(
            Lrms lrms,
            Database database,
            JobStore jobs,
            SandboxStore sandboxes,
            EndDecision decision,
            BatchWords words,
            Clock clock) {
        this.lrms = lrms;
        this.database = database;
        this.jobs = jobs;
        this.sandboxes = sandboxes;
        this.decision = decision;
        this.words = words;
        this.clock = clock;
    }

    /**
     * Settles those of these jobs of which an end is reported.
     *
     * @param over jobs that the batch system shows as ended or waiting again, or not at all, with what it shows: null for nothing
     * @param running jobs that it shows as running
     * @return the jobs of which one was reported, whether it could be settled now or not
     */
    Set<Integer> settle(Map<JobRow, LrmsJob> over, Collection<JobRow> running) throws InterruptedException {
        Map<Integer, JobRow> rows = new HashMap<>();
        Map<Integer, LrmsJob> shown = new HashMap<>();
        over.forEach((row, job) -> {
            rows.put(row.id(), row);
            if (job != null) {
                shown.put(row.id(), job);
            }
        });
        Map<Integer, WrapperEvent> ends =
                rows.isEmpty() ? new HashMap<>() : database.read(h -> reported.of(h, rows.keySet()));
        Set<Integer> known = new HashSet<>(ends.keySet());
        if (!shown.keySet().containsAll(ends.keySet())) {
            look(ends, rows, shown);
        }
        if (!running.isEmpty() && ++rounds % ROUNDS == 0) {
            Map<Integer, WrapperEvent> old =
                    database.read(h -> reported.before(h, clock.instant().minus(PATIENCE)));
            for (JobRow row : running) {
                if (old.containsKey(row.id())) {
                    ends.put(row.id(), old.get(row.id()));
                }
            }
        }
        if (!ends.isEmpty()) {
            store(ends, shown);
        }
        return known;
    }

    /** Asks the history about those that are not shown; while it gives no answer they wait. */
    private void look(Map<Integer, WrapperEvent> ends, Map<Integer, JobRow> rows, Map<Integer, LrmsJob> shown)
            throws InterruptedException {
        List<Integer> absent =
                ends.keySet().stream().filter(id -> !shown.containsKey(id)).toList();
        Map<Integer, SandboxStore.Place> places = sandboxes.of(absent);
        try {
            Map<String, LrmsJob> history = lrms.find(places.entrySet().stream()
                            .map(e -> new Lrms.Sought(
                                    e.getValue().id().tag(),
                                    e.getValue().account(),
                                    rows.get(e.getKey()).lrmsId()))
                            .toList())
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            places.forEach((id, place) -> {
                LrmsJob job = history.get(place.id().tag());
                if (job != null && job.state().isEnd()) {
                    shown.put(id, job);
                } else if (job != null) {
                    ends.remove(id); // it runs, after all
                }
            });
        } catch (ExecutionException | TimeoutException e) {
            log.warn("{} did not report how {} jobs ended, asking again: {}", lrms.name(), absent.size(), e.toString());
            absent.forEach(ends::remove);
        }
    }

    private void store(Map<Integer, WrapperEvent> ends, Map<Integer, LrmsJob> shown) throws InterruptedException {
        Map<Integer, SandboxStore.Place> places = sandboxes.of(ends.keySet());
        Map<Integer, String> texts = new HashMap<>();
        for (Map.Entry<Integer, WrapperEvent> one : ends.entrySet()) {
            LrmsJob job = words.explained(shown.get(one.getKey()), places.get(one.getKey()));
            if (job != null) {
                shown.put(one.getKey(), job);
                SandboxStore.Place place = job.state() == LrmsJob.State.FAILED ? places.get(one.getKey()) : null;
                texts.put(one.getKey(), words.about(job, one.getValue().usage(), place));
            }
        }
        database.inTransaction(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            for (JobRow row : jobs.lock(h, ends.keySet())) {
                WrapperEvent end = ends.get(row.id());
                Instant now = clock.instant();
                Instant at = end.time().isAfter(now) ? now : end.time();
                if (!row.state().isFinal()) {
                    decision.of(row, at, end, shown.get(row.id()), texts.get(row.id()))
                            .ifPresent(c ->
                                    changes.add(new JobStore.Stored(row, c, end.node(), end.lrmsId(), end.usage())));
                }
            }
            jobs.store(h, changes);
            reported.settled(h, ends.keySet());
            return null;
        });
    }
}
