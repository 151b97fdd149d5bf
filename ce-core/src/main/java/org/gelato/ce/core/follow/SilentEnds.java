package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.fault.RepeatedFault;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;
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

    /** How long a wrapper may work whose batch job was begun once more; HTCondor's lease is 40 minutes. */
    static final Duration ANOTHER_WORKS = Duration.ofHours(1);

    private final BatchHistory history;
    private final Lrms lrms;
    private final FollowedJobs stored;
    private final EndWitnesses witnesses;
    private final OpenEnds open;
    private final EndDecision decision;
    private final BatchWords words;
    private final RepeatedFault unread;
    private final Clock clock;
    private final Map<Integer, Instant> endedSince = new HashMap<>();
    /** Why the exit records of jobs do not count. */
    private final Map<Integer, String> refusals = new HashMap<>();
    /** Jobs that a wrapper has claimed. */
    private final Set<Integer> claimed = new HashSet<>();

    SilentEnds(
            BatchHistory history,
            FollowedJobs stored,
            EndWitnesses witnesses,
            OpenEnds open,
            EndDecision decision,
            BatchWords words,
            Clock clock) {
        this.history = history;
        this.lrms = history.port();
        this.stored = stored;
        this.witnesses = witnesses;
        this.open = open;
        this.decision = decision;
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
        claimed.clear();
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
        claimed.retainAll(endedSince.keySet());
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
        Optional<String> owner = witnesses.endings().claimedBy(row.id(), place);
        if (owner.isPresent() && !refusals.containsKey(row.id())) {
            claimed.add(row.id());
        }
        Optional<String> claimant = owner.filter(id -> row.lrmsId() == null || !lrms.isSame(row.lrmsId(), id));
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
                        job.state() == LrmsJob.State.FAILED ? words.about(job, null, place) : words.ownLines(place));
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
                decision.of(evidence(row, job, texts.get(row.id())))
                        .change(stored.machine(), row, clock.instant())
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

    private List<Evidence> evidence(JobRow row, LrmsJob job, String text) {
        Instant now = clock.instant();
        Instant first = endedSince.getOrDefault(row.id(), now);
        boolean mayWork =
                claimed.contains(row.id()) && first.plus(ANOTHER_WORKS).isAfter(now);
        List<Evidence> evidence = new ArrayList<>();
        Evidence.CancelRequest.of(row).ifPresent(evidence::add);
        evidence.add(new Evidence.Silence(now, row.lrmsId(), refusals.get(row.id()), mayWork));
        evidence.add(new Evidence.Word(now, job, text));
        return evidence;
    }
}
