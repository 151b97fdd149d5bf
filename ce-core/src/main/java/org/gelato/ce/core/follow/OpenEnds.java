package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.intake.ReportedEnds;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.jdbi.v3.core.Handle;

/**
 * Stores the ends that wrappers have reported and that waited for the batch system's word ({@link ReportedEnds}), as soon as the batch
 * system shows the job as ended, shows it no more, or as waiting again. One that waits for {@link #PATIENCE}, for whatever reason, is
 * stored without its word. All of it is in the database, so a crash forgets nothing. Confined to the poller's thread.
 */
final class OpenEnds {
    /** Batch systems that clean up after many jobs show them as running for a minute. */
    static final Duration PATIENCE = Duration.ofMinutes(5);
    /** For those that wait only for their turn. */
    private static final Duration LONGEST = Duration.ofMinutes(30);
    /** Rounds between two looks for those that have waited for too long. */
    private static final int ROUNDS = 10;
    /** The same where rounds take long. */
    private static final Duration EXPIRY = Duration.ofMinutes(1);
    /** Of a kind in a round, so that no look-up in the history outlasts its time. */
    static final int MOST = 500;
    /** The same of jobs whose error output has to be read, and of those where it is read because it may explain more. */
    static final int MOST_READ = 50;

    private final BatchHistory history;
    private final Lrms lrms;
    private final FollowedJobs stored;
    private final EndDecision decision;
    private final BatchWords words;
    private final Clock clock;
    private final ReportedEnds reported = new ReportedEnds();
    private int rounds;
    private long lastExpired = System.nanoTime();
    private boolean behind;
    /** Ends that the database takes in no form, or not now; they are tried again, and would be read again and again. */
    private final Set<Integer> stuck = new HashSet<>();

    OpenEnds(BatchHistory history, FollowedJobs stored, EndDecision decision, BatchWords words, Clock clock) {
        this.history = history;
        this.lrms = history.port();
        this.stored = stored;
        this.decision = decision;
        this.words = words;
        this.clock = clock;
    }

    /**
     * Stores by the wrappers' reports alone those that have waited for too long, of whatever queue, and forgets those of jobs that
     * have ended otherwise. Does so every tenth time, and each minute: nothing that fails or is not followed any more holds up an end.
     */
    void expire() throws InterruptedException {
        boolean wasBehind = behind;
        behind = false;
        long now = System.nanoTime();
        if (++rounds % ROUNDS != 0 && now - lastExpired < EXPIRY.toNanos()) {
            return;
        }
        lastExpired = now;
        Instant before = clock.instant().minus(wasBehind ? LONGEST : PATIENCE);
        Map<Integer, WrapperEvent> old;
        stuck.clear();
        do {
            old = stored.database().read(h -> reported.before(h, before));
            if (!old.isEmpty()) {
                store(old, Map.of());
            }
        } while (old.size() == ReportedEnds.MOST && stuck.isEmpty());
    }

    /** Whether the last round has left ends over that it could have settled. */
    boolean isBehind() {
        return behind;
    }

    /** Of these jobs, whose rows are locked, those of which an end is reported. */
    Set<Integer> kept(Handle h, Collection<Integer> ids) {
        return reported.of(h, ids).keySet();
    }

    /**
     * Settles those of these jobs of which an end is reported; of very many the oldest, and the others in the next rounds.
     *
     * @param over jobs that the batch system shows as ended or waiting again, or not at all, with what it shows: null for nothing
     * @return the jobs of which one was reported, whether it could be settled now or not
     */
    Set<Integer> settle(Map<JobRow, LrmsJob> over) throws InterruptedException {
        if (over.isEmpty()) {
            return Set.of();
        }
        Map<Integer, JobRow> rows = new HashMap<>();
        Map<Integer, LrmsJob> shown = new HashMap<>();
        over.forEach((row, job) -> {
            rows.put(row.id(), row);
            if (job != null) {
                shown.put(row.id(), job);
            }
        });
        Map<Integer, WrapperEvent> all = stored.database().read(h -> reported.of(h, rows.keySet()));
        Map<Integer, WrapperEvent> ends = new LinkedHashMap<>(all);
        List<Integer> absent = first(ends, id -> !shown.containsKey(id), MOST);
        if (!absent.isEmpty()) {
            look(absent, ends, rows, shown);
        }
        first(ends, id -> !BatchWords.isOpen(shown.get(id)), MOST);
        first(ends, id -> BatchWords.isOpen(shown.get(id)), MOST_READ);
        if (!ends.isEmpty()) {
            store(ends, shown);
        }
        return all.keySet();
    }

    /** The first of a kind; the others of the kind are taken out. */
    private List<Integer> first(Map<Integer, WrapperEvent> ends, Predicate<Integer> kind, int most) {
        List<Integer> ids = ends.keySet().stream().filter(kind).toList();
        if (ids.size() <= most) {
            return ids;
        }
        behind = true;
        ids.subList(most, ids.size()).forEach(ends::remove);
        return ids.subList(0, most);
    }

    /** Asks the history about those that are not shown; while it gives no response they wait. */
    private void look(
            List<Integer> absent,
            Map<Integer, WrapperEvent> ends,
            Map<Integer, JobRow> rows,
            Map<Integer, LrmsJob> shown)
            throws InterruptedException {
        Map<Integer, SandboxStore.Place> places = stored.sandboxes().of(absent);
        Optional<Map<String, LrmsJob>> found = history.find(places.entrySet().stream()
                .map(e -> BatchHistory.lookup(rows.get(e.getKey()), e.getValue()))
                .toList());
        if (found.isEmpty()) {
            absent.forEach(ends::remove);
            return;
        }
        places.forEach((id, place) -> {
            LrmsJob job = found.get().get(place.id().tag());
            if (job == null || (!job.isUnreadable() && !isOf(rows.get(id), ends.get(id), job))) {
                return; // the wrapper's report is all there is
            }
            if (job.state().isEnd()) {
                shown.put(id, job);
            } else {
                ends.remove(id); // it runs after all, or nothing is known now
            }
        });
    }

    /** Any local user can give a job one of our names: by its tag alone a job is ours only where no id is known. */
    private boolean isOf(JobRow row, WrapperEvent end, LrmsJob job) {
        return row.lrmsId() == null
                || lrms.isSame(row.lrmsId(), job.lrmsId())
                || (end.lrmsId() != null && lrms.isSame(job.lrmsId(), end.lrmsId()));
    }

    private void store(Map<Integer, WrapperEvent> ends, Map<Integer, LrmsJob> shown) throws InterruptedException {
        Map<Integer, SandboxStore.Place> places =
                shown.isEmpty() ? Map.of() : stored.sandboxes().of(ends.keySet());
        Map<Integer, LrmsJob> said = new HashMap<>();
        Map<Integer, String> texts = new HashMap<>();
        int read = 0;
        for (Map.Entry<Integer, WrapperEvent> one : ends.entrySet()) {
            LrmsJob job = words.explained(shown.get(one.getKey()), places.get(one.getKey()));
            if (job != null) {
                said.put(one.getKey(), job);
                boolean reads = job.state() == LrmsJob.State.FAILED && ++read <= MOST_READ;
                SandboxStore.Place place = reads ? places.get(one.getKey()) : null;
                texts.put(one.getKey(), words.about(job, one.getValue().usage(), place));
            }
        }
        List<Integer> held = stored.database()
                .batches()
                .write(
                        List.copyOf(ends.keySet()),
                        part -> store(part, ends, said, texts),
                        id -> "the end of " + stored.sandboxes().id(id),
                        (id, reason) -> storeBare(id, ends.get(id), said, reason))
                .members();
        stuck.addAll(held);
    }

    /** The end of one whose end the database did not take as it is: without what only explains it. */
    private void storeBare(int job, WrapperEvent end, Map<Integer, LrmsJob> said, String reason) {
        Map<Integer, WrapperEvent> bare = end == null ? Map.of() : Map.of(job, end.bare(reason));
        stored.database()
                .batches()
                .write(
                        List.of(job),
                        part -> store(part, bare, said, Map.of()),
                        id -> "the bare end of " + stored.sandboxes().id(id),
                        (id, again) -> stuck.add(id));
    }

    private void store(
            List<Integer> part,
            Map<Integer, WrapperEvent> ends,
            Map<Integer, LrmsJob> said,
            Map<Integer, String> texts) {
        stored.database().inTransaction(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            for (JobRow row : stored.jobs().lock(h, part)) {
                WrapperEvent end = ends.get(row.id());
                if (end != null && !row.state().isFinal()) {
                    Instant now = clock.instant();
                    List<Evidence> evidence = new ArrayList<>();
                    Evidence.CancelRequest.of(row).ifPresent(evidence::add);
                    evidence.add(end.report(row, row.since(), false));
                    evidence.add(new Evidence.Word(now, said.get(row.id()), texts.get(row.id())));
                    Instant at = end.time().isAfter(now) ? now : end.time();
                    decision.of(evidence)
                            .change(stored.machine(), row, at)
                            .ifPresent(c ->
                                    changes.add(new JobStore.Stored(row, c, end.node(), end.lrmsId(), end.usage())));
                }
            }
            stored.jobs().store(h, changes);
            reported.settled(h, part);
            return null;
        });
    }
}
