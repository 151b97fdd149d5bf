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
import java.util.stream.Collectors;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.text.Words;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the ends that are stored with what polls show of ended jobs: a job that the batch system cancelled or ended, and that ended
 * well by its wrapper's word, is corrected, with an event of its own (docs/developer/decisions/0091). A job that waits in the batch system again
 * although it has ended here is cancelled there, and so is one that comes after its end: its hand-over was in doubt, and no lookup had
 * found it.
 *
 * <p>Costs no statement while the batch system shows no such job, and one for all that it shows first in a round; jobs that are there and not
 * followed cost one in their second round, and in every tenth after it. Keeps in
 * memory only what is settled: a crash forgets that, and the next poll shows it again. What it shows no more by then was ended while
 * the CE was away, so the first round after a start asks the history about the last ends before it. Confined to the poller's thread.
 */
final class EndCorrections {
    private static final Logger log = LoggerFactory.getLogger(EndCorrections.class);

    /** How long after its end here a job may still come whose hand-over was in doubt. */
    static final Duration LATE = Duration.ofHours(1);

    /** Rounds between two cancels of a job that is there again. */
    private static final int ROUNDS = 10;
    /** Rounds after which the log has one that waits still once more; a multiple of the other. */
    private static final int REPORT_ROUNDS = 1000;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Lrms lrms;
    private final FollowedJobs stored;
    private final EndDecision decision;
    private final BatchWords words;
    private final Clock clock;
    private final Set<Key> settled = new HashSet<>();
    private final Map<Key, Integer> waiting = new HashMap<>();
    /** Of those that wait again, the ones that the log has. */
    private final Set<Key> reported = new HashSet<>();
    /** The last ends before the start; null once they are compared. */
    private LastEnds lastEnds;

    private boolean started;
    /** Jobs of others with a name of ours. */
    private final Set<Key> foreign = new HashSet<>();
    /** Of jobs that are shown as ended: when the poll before began, which did not show that. */
    private final Map<Key, Instant> aliveAt = new HashMap<>();
    /** When this round began, and the one before that polled: {@link Instant#EPOCH} before the first. */
    private Instant begun = Instant.EPOCH;

    private Instant polled = Instant.EPOCH;

    /** A batch system may give an id twice (docs/developer/decisions/0050). */
    private record Key(String lrmsId, JobId job) {}

    EndCorrections(Lrms lrms, FollowedJobs stored, EndDecision decision, BatchWords words, Clock clock) {
        this.lrms = lrms;
        this.stored = stored;
        this.decision = decision;
        this.words = words;
        this.clock = clock;
    }

    /** Called before the poll of each round; reads the last ends before the start in the first of all. */
    void start(Collection<Integer> queues) {
        begun = clock.instant();
        if (!started) {
            lastEnds = new LastEnds(
                    lrms.name(),
                    lrms.ends().tellCancels() && lrms.ends().tellFailures()
                            ? stored.database().read(h -> stored.jobs().endedLast(h, queues, EndDecision.RECENT))
                            : List.of());
            started = true;
        }
    }

    /** Whether something is left to be compared that a poll may show. */
    boolean isOpen() {
        return !started || lastEnds != null || !waiting.isEmpty();
    }

    /**
     * Takes over what a poll has shown.
     *
     * @param followed jobs that had not ended for the CE when the poll began
     */
    void check(Collection<JobRow> followed, Collection<LrmsJob> shown) throws InterruptedException {
        Set<String> alive = followed.stream().map(JobRow::lrmsId).collect(Collectors.toSet());
        Map<Key, LrmsJob> against = new HashMap<>();
        Map<Key, LrmsJob> due = new HashMap<>();
        Set<Key> ended = new HashSet<>();
        for (LrmsJob job : shown) {
            Key key = JobId.ofTag(job.tag())
                    .filter(id -> decision.isAgainst(job) || isAlive(job))
                    .map(id -> new Key(job.lrmsId(), id))
                    .orElse(null);
            if (key == null) {
                continue;
            }
            if (job.state().isEnd()) {
                ended.add(key);
                aliveAt.putIfAbsent(key, polled);
            }
            if (alive.contains(job.lrmsId())) {
                continue;
            }
            against.put(key, job);
            if (foreign.contains(key)) {
                continue;
            }
            // A job is shown in the queue before its hand-over is stored: it counts from the second round on.
            int round = job.state().isEnd() ? 1 : waiting.merge(key, 1, Integer::sum);
            if (job.state().isEnd() ? !settled.contains(key) : round % ROUNDS == 2) {
                due.put(key, timed(key, job));
            }
        }
        polled = begun;
        settled.retainAll(against.keySet());
        foreign.retainAll(against.keySet());
        reported.retainAll(against.keySet());
        aliveAt.keySet().retainAll(ended);
        waiting.keySet()
                .removeIf(key ->
                        !against.containsKey(key) || against.get(key).state().isEnd());
        if (!due.isEmpty()) {
            compare(due);
        }
        if (lastEnds != null) {
            compareLast(shown.stream().map(LrmsJob::lrmsId).collect(Collectors.toSet()));
        }
    }

    private static boolean isAlive(LrmsJob job) {
        return !job.state().isEnd() && job.state() != LrmsJob.State.UNKNOWN;
    }

    /**
     * Whether a job has come after its end here. Only one whose hand-over may have been in doubt, and for a while: any other with this
     * tag is another CE's, as two CEs may give the same one.
     */
    private boolean isLate(JobRow row, LrmsJob job) {
        return row.state().isFinal()
                && row.lrmsId() == null
                && row.attempt() > 0
                && row.since().plus(LATE).isAfter(clock.instant())
                && isAlive(job);
    }

    /** Without a time of its own, an end came after the poll before the one that shows it first; out of memory counts always. */
    private LrmsJob timed(Key key, LrmsJob job) {
        boolean memory = job.reason() != null && job.reason().startsWith(LrmsJob.OUT_OF_MEMORY);
        return job.endedAt() != null || memory || !job.state().isEnd() ? job : job.endedAt(aliveAt.get(key));
    }

    private void compare(Map<Key, LrmsJob> due) throws InterruptedException {
        Set<Integer> ids = due.keySet().stream()
                .map(key -> stored.sandboxes().row(key.job()))
                .collect(Collectors.toSet());
        Map<Integer, JobRow> rows = new HashMap<>();
        stored.database().read(h -> stored.jobs().byId(h, ids)).forEach(row -> rows.put(row.id(), row));
        Map<Integer, LrmsJob> wrong = new HashMap<>();
        Map<Integer, Key> again = new HashMap<>();
        Set<String> fresh = new HashSet<>();
        List<Key> done = new ArrayList<>();
        due.forEach((key, job) -> {
            JobRow row = rows.get(stored.sandboxes().row(key.job()));
            if (row != null && !row.state().isFinal()) {
                return; // compared when it has ended
            }
            boolean late = row != null && isLate(row, job);
            if (row == null || (!late && !key.lrmsId().equals(row.lrmsId()))) {
                // Any local user can give a job one of our names.
                done.add(key);
                foreign.add(key);
                waiting.remove(key);
                return;
            }
            boolean against = decision.isAgainst(job);
            if (against || late || job.isInQueue()) {
                done.add(key); // one that still runs has its end to come
            }
            if (late || (job.isInQueue() && (against || isOld(row)))) {
                again.put(row.id(), key);
                if (reported.add(key) || waiting.getOrDefault(key, 0) % REPORT_ROUNDS == 2) {
                    fresh.add(key.lrmsId());
                }
            }
            if (against && isWrong(row, job)) {
                wrong.put(row.id(), job);
            }
        });
        Set<Integer> held = correct(wrong);
        cancel(again, fresh);
        done.removeIf(key -> held.contains(stored.sandboxes().row(key.job())));
        settled.addAll(done);
    }

    /** Whether what is done about it in the batch system now can't be taken for the cause of its end, by another node or after a crash. */
    private boolean isOld(JobRow row) {
        return row.since().plus(EndDecision.CLOCKS_DIFFER.multipliedBy(2)).isBefore(clock.instant());
    }

    private boolean isWrong(JobRow row, LrmsJob job) {
        return !decision.hasWord(row)
                && decision.of(evidence(row, job, decision.says())).corrects(row);
    }

    private List<Evidence> evidence(JobRow row, LrmsJob job, String text) {
        return List.of(Evidence.Report.of(row), new Evidence.Word(clock.instant(), job, text));
    }

    /** Returns those that wait, as another session holds their rows. */
    private Set<Integer> correct(Map<Integer, LrmsJob> wrong) throws InterruptedException {
        if (wrong.isEmpty()) {
            return Set.of();
        }
        Map<Integer, SandboxStore.Place> places = stored.sandboxes().of(wrong.keySet());
        Map<Integer, String> texts = new HashMap<>();
        for (Map.Entry<Integer, LrmsJob> one : wrong.entrySet()) {
            boolean failed = one.getValue().state() == LrmsJob.State.FAILED;
            texts.put(one.getKey(), words.about(one.getValue(), null, failed ? places.get(one.getKey()) : null));
        }
        List<String> corrected = new ArrayList<>();
        List<Integer> held = stored.database()
                .batches()
                .write(
                        List.copyOf(wrong.keySet()),
                        part -> corrected.addAll(correct(part, wrong, texts)),
                        id -> "the corrected end of " + stored.sandboxes().id(id),
                        (id, reason) -> {})
                .members();
        if (!corrected.isEmpty()) {
            log.info("ends corrected by the word of {}: {}", lrms.name(), Overruns.bounded(corrected));
        }
        return Set.copyOf(held);
    }

    private List<String> correct(List<Integer> part, Map<Integer, LrmsJob> wrong, Map<Integer, String> texts) {
        return stored.database().inTransaction(h -> {
            List<String> corrected = new ArrayList<>();
            List<JobStore.Stored> changes = new ArrayList<>();
            for (JobRow row : stored.jobs().lock(h, part)) {
                LrmsJob job = wrong.get(row.id());
                if (!isWrong(row, job)) {
                    continue; // another node was faster
                }
                decision.of(evidence(row, job, texts.get(row.id())))
                        .correction(stored.machine(), row, clock.instant())
                        .ifPresent(c -> {
                            changes.add(new JobStore.Stored(row, c, null, null));
                            corrected.add(stored.sandboxes().id(row.id()) + " from "
                                    + row.state().wireName() + " to "
                                    + c.state().wireName());
                        });
            }
            stored.jobs().store(h, changes);
            return corrected;
        });
    }

    /**
     * The poll has just shown each under its id and tag, so the ids are theirs.
     *
     * @param fresh ids that the log is to have: one that no cancel takes out of the queue waits there for as long as it likes
     */
    private void cancel(Map<Integer, Key> again, Set<String> fresh) throws InterruptedException {
        if (again.isEmpty()) {
            return;
        }
        Map<String, List<String>> ids = new HashMap<>();
        stored.sandboxes()
                .of(again.keySet())
                .forEach((id, place) -> ids.computeIfAbsent(place.account(), account -> new ArrayList<>())
                        .add(again.get(id).lrmsId()));
        if (!fresh.isEmpty()) {
            log.warn(
                    "{} has jobs that have ended here, they are cancelled there: {}",
                    lrms.name(),
                    Overruns.bounded(fresh.stream().sorted().toList()));
        }
        List<String> refusals = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (Map.Entry<String, List<String>> one : ids.entrySet()) {
            try {
                lrms.cancel(one.getKey(), one.getValue())
                        .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        .forEach((id, refusal) -> {
                            if (refusal != null && fresh.contains(id)) {
                                refusals.add(id + ": " + refusal);
                            }
                        });
            } catch (ExecutionException | TimeoutException e) {
                one.getValue().stream().filter(fresh::contains).forEach(id -> failures.add(id + ": " + Words.of(e)));
            }
        }
        if (!refusals.isEmpty()) {
            log.warn("{} refused to cancel, tried again now and then: {}", lrms.name(), Overruns.bounded(refusals));
        }
        if (!failures.isEmpty()) {
            log.warn("{} did not cancel, tried again now and then: {}", lrms.name(), Overruns.bounded(failures));
        }
    }

    /** Those of the last ends before the start that the poll does not show are looked up in the history, a slice a round. */
    private void compareLast(Set<String> shown) throws InterruptedException {
        List<JobRow> slice = lastEnds.next(shown);
        Map<Integer, SandboxStore.Place> places =
                stored.sandboxes().of(slice.stream().map(JobRow::id).toList());
        List<Lrms.Lookup> lookups = slice.stream()
                .filter(row -> places.containsKey(row.id()) && !decision.hasWord(row))
                .map(row -> BatchHistory.lookup(row, places.get(row.id())))
                .toList();
        try {
            Map<String, LrmsJob> history =
                    lookups.isEmpty() ? Map.of() : lrms.find(lookups).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            Map<Integer, LrmsJob> wrong = new HashMap<>();
            for (JobRow row : slice) {
                LrmsJob job = places.containsKey(row.id())
                        ? history.get(places.get(row.id()).id().tag())
                        : null;
                if (job != null
                        && job.state().isEnd()
                        && job.lrmsId().equals(row.lrmsId())
                        && decision.isAgainst(job)
                        && isWrong(row, job)) {
                    wrong.put(row.id(), job);
                }
            }
            correct(wrong);
            lastEnds.compared();
        } catch (ExecutionException | TimeoutException e) {
            lastEnds.failed(e);
        }
        if (lastEnds.isEmpty()) {
            lastEnds = null;
        }
    }
}
