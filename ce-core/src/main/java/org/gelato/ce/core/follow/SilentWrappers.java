package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.fault.RepeatedFault;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wrappers of jobs that the batch system shows as ended, or no more, and of which no event came: what they have left in the sandbox, an
 * exit record or a claim. Keeps nothing that a crash could lose. Confined to the poller's thread, which it blocks.
 */
final class SilentWrappers {
    private static final Logger log = LoggerFactory.getLogger(SilentWrappers.class);
    private static final Duration EVENTS_ON_THE_WAY = Duration.ofSeconds(2);

    /** How long a wrapper may work whose batch job was begun once more; HTCondor's lease is 40 minutes. */
    static final Duration ANOTHER_WORKS = Duration.ofHours(1);

    private final Lrms lrms;
    private final FollowedJobs stored;
    private final EndWitnesses witnesses;
    private final RepeatedFault unread;
    private final RepeatedFault unclaimed;
    private final Clock clock;
    /** By a clock that is never set, in nanoseconds. */
    private final Map<Integer, Long> endedSince = new HashMap<>();

    /** Why the exit records of jobs do not count, as the log has it. */
    private final Map<Integer, String> refusals = new HashMap<>();
    /** Found, and not handed on yet. */
    private final List<WrapperEvent> records = new ArrayList<>();

    SilentWrappers(Lrms lrms, FollowedJobs stored, EndWitnesses witnesses, Clock clock) {
        this.lrms = lrms;
        this.stored = stored;
        this.witnesses = witnesses;
        this.unread = new RepeatedFault(log, clock, "ends of jobs by their sandboxes");
        this.unclaimed = new RepeatedFault(log, clock, "ends of jobs that were handed over more than once");
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

    /**
     * Looks what the wrappers of ended or vanished jobs have left, of which no event came, the second time that they are seen so.
     *
     * @return those of which nothing was left
     */
    Map<JobRow, Evidence.Silence> look(List<JobRow> ended) throws InterruptedException {
        List<JobRow> due = new ArrayList<>();
        long now = System.nanoTime();
        for (JobRow row : ended) {
            Long first = endedSince.putIfAbsent(row.id(), now);
            if (first != null && now - first >= EVENTS_ON_THE_WAY.toNanos()) {
                due.add(row);
            }
        }
        Map<JobRow, Evidence.Silence> silent = due.isEmpty() ? Map.of() : look(due, clock.instant());
        endedSince.keySet().retainAll(ended.stream().map(JobRow::id).toList());
        refusals.keySet().retainAll(endedSince.keySet());
        return silent;
    }

    private Map<JobRow, Evidence.Silence> look(List<JobRow> due, Instant now) throws InterruptedException {
        Map<Integer, SandboxStore.Place> places =
                stored.sandboxes().of(due.stream().map(JobRow::id).toList());
        Map<JobRow, Evidence.Silence> silent = new LinkedHashMap<>();
        List<String> undecided = new ArrayList<>();
        for (JobRow row : due) {
            SandboxStore.Place place = places.get(row.id());
            if (place == null) {
                continue; // purged meanwhile
            }
            try {
                SandboxWitness.ExitRecord record = witnesses.sandbox().exitRecord(place);
                if (record.event() != null) {
                    records.add(record.event());
                    continue;
                }
                if (record.refusal() != null && refusals.put(row.id(), record.refusal()) == null) {
                    log.warn("exit record of {} does not count: {}", place.id(), record.refusal());
                }
                Optional<SandboxWitness.Claim> claim = witnesses.sandbox().claim(row.id(), place);
                if (!adopted(row, place, claim)) {
                    Evidence.Claim holder =
                            claim.map(c -> holder(c, row, record)).orElse(Evidence.Claim.NOBODY);
                    silent.put(row, new Evidence.Silence(now, row.lrmsId(), record.refusal(), holder));
                }
            } catch (SandboxWitness.UndecidedException e) {
                if (e.isRefused() && isLong(row)) {
                    silent.put(
                            row,
                            new Evidence.Silence(
                                    clock.instant(), row.lrmsId(), e.getMessage(), Evidence.Claim.WRAPPER));
                } else {
                    undecided.add(place.id() + ": " + e.getMessage());
                }
            }
        }
        if (undecided.isEmpty()) {
            unread.over();
        } else {
            unread.failed(undecided.size() + " undecided, " + Overruns.bounded(undecided));
        }
        return silent;
    }

    private boolean isLong(JobRow row) {
        return System.nanoTime() - endedSince.get(row.id()) >= ANOTHER_WORKS.toNanos();
    }

    private Evidence.Claim holder(SandboxWitness.Claim claim, JobRow row, SandboxWitness.ExitRecord record) {
        if (claim.isOurs()) {
            return Evidence.Claim.CE;
        }
        boolean mayWork = record.refusal() == null && !isLong(row);
        return mayWork ? Evidence.Claim.WORKING : Evidence.Claim.WRAPPER;
    }

    /** A late double: another hand-over of the job claimed it, so that one is followed from now on. */
    private boolean adopted(JobRow row, SandboxStore.Place place, Optional<SandboxWitness.Claim> claim) {
        Optional<String> other = claim.map(SandboxWitness.Claim::lrmsId)
                .filter(lrms::isId)
                .filter(id -> row.lrmsId() == null || !lrms.isSame(row.lrmsId(), id));
        other.ifPresent(id -> {
            log.warn("{} is run by {} {}, not by {}: following that", place.id(), lrms.name(), id, row.lrmsId());
            stored.sandboxes().adopt(row.id(), id);
        });
        return other.isPresent();
    }

    /**
     * Whether no wrapper begins a job any more of which nothing was left. One that was handed over more than once is taken from the wrapper that
     * may come late, first; what can't be taken for too long counts as taken, so that no job is followed for ever.
     */
    boolean isOver(JobRow row, SandboxStore.Place place) throws InterruptedException {
        if (row.batchJob().attempt() <= 1) {
            return true;
        }
        String why = place.id() + " has been claimed by another of its wrappers just now";
        try {
            boolean over = witnesses.sandbox().take(place)
                    || witnesses
                            .sandbox()
                            .claim(row.id(), place)
                            .map(SandboxWitness.Claim::lrmsId)
                            .filter(id -> row.lrmsId() != null && lrms.isSame(row.lrmsId(), id))
                            .isPresent();
            if (over) {
                unclaimed.over();
                return true;
            }
        } catch (SandboxWitness.UndecidedException e) {
            why = e.getMessage();
        }
        unclaimed.failed(why);
        return isLong(row);
    }

    /** Hands on what {@link #look} has found, as events. */
    void report() {
        List<WrapperEvent> all = List.copyOf(records);
        records.clear();
        witnesses.events().apply(all);
    }
}
