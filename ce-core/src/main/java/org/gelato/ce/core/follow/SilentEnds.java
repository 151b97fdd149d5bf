package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.fault.RepeatedFault;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.wrapper.WrapperStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out how jobs ended that the batch system shows as ended, or no more, and of which no event came: by the exit record in the
 * sandbox, then the claim, then the batch system's history; only then they are failed with that reason. Keeps nothing that a crash could
 * lose. Confined to the poller's thread, which it blocks.
 */
final class SilentEnds {
    private static final Logger log = LoggerFactory.getLogger(SilentEnds.class);
    private static final Duration EVENTS_ON_THE_WAY = Duration.ofSeconds(2);

    private final BatchHistory history;
    private final Lrms lrms;
    private final FollowedJobs stored;
    private final EndWitnesses witnesses;
    private final OpenEnds open;
    private final BatchWords words;
    private final RepeatedFault unread;
    private final Clock clock;
    private final Map<Integer, Instant> endedSince = new HashMap<>();
    /** Why the exit records of jobs do not count. */
    private final Map<Integer, String> refusals = new HashMap<>();

    SilentEnds(
            BatchHistory history,
            FollowedJobs stored,
            EndWitnesses witnesses,
            OpenEnds open,
            BatchWords words,
            Clock clock) {
        this.history = history;
        this.lrms = history.port();
        this.stored = stored;
        this.witnesses = witnesses;
        this.open = open;
        this.words = words;
        this.unread = new RepeatedFault(log, clock, "ends of jobs by their sandboxes");
        this.clock = clock;
    }

    /** A job is shown as not ended. */
    void forget(JobRow row) {
        endedSince.remove(row.id());
    }

    /** No job is followed. */
    void forget() {
        endedSince.clear();
        refusals.clear();
    }

    /** Ended or vanished jobs: the second time they are seen so, their end is found out and stored. */
    void resolve(List<JobRow> ended, Map<String, LrmsJob> byId) throws InterruptedException {
        List<JobRow> due = new ArrayList<>();
        Instant now = clock.instant();
        for (JobRow row : ended) {
            Instant first = endedSince.putIfAbsent(row.id(), now);
            if (first != null && !first.plus(EVENTS_ON_THE_WAY).isAfter(now)) {
                due.add(row);
            }
        }
        if (!due.isEmpty()) {
            findOut(due, byId);
        }
        endedSince.keySet().retainAll(ended.stream().map(JobRow::id).toList());
        refusals.keySet().retainAll(endedSince.keySet());
    }

    private void findOut(List<JobRow> due, Map<String, LrmsJob> byId) throws InterruptedException {
        Map<Integer, SandboxStore.Place> places =
                stored.sandboxes().of(due.stream().map(JobRow::id).toList());
        List<JobRow> silent = new ArrayList<>();
        List<WrapperEvent> records = new ArrayList<>();
        List<String> undecided = new ArrayList<>();
        for (JobRow row : due) {
            SandboxStore.Place place = places.get(row.id());
            if (place == null) {
                continue; // purged meanwhile
            }
            try {
                JobEndings.ExitRecord record = witnesses.endings().exitRecord(place);
                if (record.event() != null) {
                    records.add(record.event());
                    continue;
                }
                if (record.refusal() != null && refusals.put(row.id(), record.refusal()) == null) {
                    log.warn("exit record of {} does not count: {}", place.id(), record.refusal());
                }
                if (!adopted(row, place)) {
                    silent.add(row);
                }
            } catch (JobEndings.UndecidedException e) {
                undecided.add(place.id() + ": " + e.getMessage());
            }
        }
        if (undecided.isEmpty()) {
            unread.over();
        } else {
            unread.failed(undecided.size() + " undecided, " + Overruns.bounded(undecided));
        }
        try {
            witnesses.events().apply(records);
        } finally {
            if (!silent.isEmpty()) {
                fail(silent, byId, places);
            }
        }
    }

    /** A late double: another hand-over of the job claimed it, so that one is followed from now on. */
    private boolean adopted(JobRow row, SandboxStore.Place place) throws InterruptedException {
        Optional<String> claimant = witnesses
                .endings()
                .claimedBy(row.id(), place)
                .filter(id -> row.lrmsId() == null || !lrms.isSame(row.lrmsId(), id));
        claimant.ifPresent(id -> {
            log.warn("{} is run by {} {}, not by {}: following that", place.id(), lrms.name(), id, row.lrmsId());
            stored.sandboxes().adopt(row.id(), id);
        });
        return claimant.isPresent();
    }

    private void fail(List<JobRow> silent, Map<String, LrmsJob> byId, Map<Integer, SandboxStore.Place> places)
            throws InterruptedException {
        Optional<Map<String, LrmsJob>> found = history.find(silent.stream()
                .map(row -> BatchHistory.lookup(row, places.get(row.id())))
                .toList());
        if (found.isEmpty()) {
            return;
        }
        Map<Integer, LrmsJob> ends = new HashMap<>();
        for (JobRow row : silent) {
            LrmsJob job = found.get().getOrDefault(places.get(row.id()).id().tag(), stored.shown(row, byId));
            if (job == null || job.state().isEnd()) {
                ends.put(row.id(), job);
            }
        }
        Map<Integer, String> texts = new HashMap<>();
        for (JobRow row : silent) {
            SandboxStore.Place place = places.get(row.id());
            LrmsJob job = words.explained(ends.get(row.id()), place);
            if (job != null) {
                ends.put(row.id(), job);
                texts.put(
                        row.id(),
                        job.state() == LrmsJob.State.FAILED || job.isNotBegun()
                                ? words.about(job, null, place)
                                : words.ownLines(place));
            }
        }
        stored.database()
                .batches()
                .write(
                        List.copyOf(ends.keySet()),
                        part -> storeFailures(part, ends, texts),
                        id -> "the end of " + stored.sandboxes().id(id),
                        (id, reason) -> failPlainly(id, reason));
    }

    /** The end of one whose end the database did not take as it is. */
    private void failPlainly(int job, String reason) {
        Map<Integer, LrmsJob> unknown = new HashMap<>();
        unknown.put(job, new LrmsJob(null, null, LrmsJob.State.FAILED, null, null, null));
        String text = "what " + lrms.name() + " says about the job's end can't be stored: " + reason;
        stored.database()
                .batches()
                .write(
                        List.of(job),
                        part -> storeFailures(part, unknown, Map.of(job, text)),
                        id -> "that the end of " + stored.sandboxes().id(id) + " can't be stored",
                        (id, again) -> {});
    }

    private void storeFailures(List<Integer> part, Map<Integer, LrmsJob> ends, Map<Integer, String> texts) {
        stored.database().inTransaction(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            List<JobRow> rows = stored.jobs().lock(h, part);
            // Its wrapper may have reported it meanwhile: then that counts, with the batch system's word, in the next
            // round.
            Set<Integer> kept = open.kept(h, part);
            for (JobRow row : rows) {
                if (kept.contains(row.id())) {
                    continue;
                }
                LrmsJob job = ends.get(row.id());
                end(row, job, texts.get(row.id()))
                        .ifPresent(c ->
                                changes.add(new JobStore.Stored(row, c, null, null, job == null ? null : job.usage())));
            }
            stored.jobs().store(h, changes);
            witnesses
                    .journals()
                    .ended(h, changes.stream().map(JobStore.Stored::job).toList());
            return null;
        });
    }

    /** Without an exit code: the batch system has the wrapper's, and that of the payload is known to the wrapper alone. */
    private Optional<JobStateMachine.Change> end(JobRow row, LrmsJob job, String text) {
        Instant now = clock.instant();
        String name = lrms.name();
        if (job == null) {
            return stored.machine()
                    .failed(
                            row,
                            now,
                            null,
                            (row.lrmsId() == null ? "the job" : "job " + row.lrmsId()) + " vanished from " + name
                                    + ": no event, no exit record, and its history does not know it" + refused(row));
        }
        return switch (job.state()) {
            case CANCELLED ->
                job.isNotBegun() && row.cancelReason() == null
                        ? stored.machine().failed(row, now, null, text + refused(row))
                        : stored.machine().cancelled(row, now);
            case FAILED -> stored.machine().failed(row, now, null, text + refused(row));
            // what a requested cancel ends with where the batch system shows the signal alone
            default ->
                row.cancelReason() != null && JobStateMachine.isKilled(job.exitCode())
                        ? stored.machine().cancelled(row, now)
                        : stored.machine()
                                .failed(
                                        row,
                                        now,
                                        null,
                                        WrapperStatus.words(job.exitCode())
                                                        .orElse("the job wrapper ended without an exit record")
                                                + "; "
                                                + name + " reports exit code "
                                                + (job.exitCode() == null ? "unknown" : job.exitCode())
                                                + (job.reason() == null ? "" : " (" + job.reason() + ")") + text
                                                + refused(row));
        };
    }

    private String refused(JobRow row) {
        String refusal = refusals.get(row.id());
        return refusal == null ? "" : "; what was left as its exit record does not count: " + refusal;
    }
}
