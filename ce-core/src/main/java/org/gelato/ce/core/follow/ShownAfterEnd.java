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
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that have ended here and that polls show: as cancelled or ended by the batch system, which is its word about their ends, as waiting
 * there again, or for the first time, as their hand-over was in doubt and no lookup had found them. The latter two are cancelled there.
 *
 * <p>Costs no statement while the batch system shows no such job, and one for all that it shows first in a round; jobs that are there and not
 * followed cost one in their second round, and in every tenth after it. Keeps in memory only what is settled: a crash forgets that, and the
 * next poll shows it again. Confined to the poller's thread.
 */
final class ShownAfterEnd {
    private static final Logger log = LoggerFactory.getLogger(ShownAfterEnd.class);

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
    private final Clock clock;
    private final Set<Key> settled = new HashSet<>();
    /** Of this round, by the jobs' rows. */
    private final Map<Integer, Key> keys = new HashMap<>();

    /** Of this round: what is to be cancelled in the batch system, by the jobs' rows. */
    private final Map<Integer, Key> again = new HashMap<>();
    /** Ids of them that the log is to have: one that no cancel takes out of the queue waits there for as long as it likes. */
    private final Set<String> fresh = new HashSet<>();

    private final Map<Key, Integer> waiting = new HashMap<>();
    /** Of those that wait again, the ones that the log has. */
    private final Set<Key> reported = new HashSet<>();
    /** Jobs of others with a name of ours. */
    private final Set<Key> foreign = new HashSet<>();
    /** Of jobs that are shown as ended: when the poll before began, which did not show that. */
    private final Map<Key, Instant> aliveAt = new HashMap<>();
    /** When this round began, and the one before that polled: {@link Instant#EPOCH} before the first. */
    private Instant begun = Instant.EPOCH;

    private Instant polled = Instant.EPOCH;

    /** A batch system may give an id twice (docs/developer/decisions/0050). */
    private record Key(String lrmsId, JobId job) {}

    ShownAfterEnd(Lrms lrms, FollowedJobs stored, EndDecision decision, Clock clock) {
        this.lrms = lrms;
        this.stored = stored;
        this.decision = decision;
        this.clock = clock;
    }

    /** Called before the poll of each round. */
    void start() {
        begun = clock.instant();
    }

    /** Whether something is left that a poll may show. */
    boolean isOpen() {
        return !waiting.isEmpty();
    }

    /**
     * Takes over what a poll has shown.
     *
     * @param followed jobs that had not ended for the CE when the poll began
     * @return the word of the batch system about ends, by the jobs' rows: to be {@link #settle settled} when it is stored
     */
    Map<Integer, LrmsJob> check(Collection<JobRow> followed, Collection<LrmsJob> shown) throws InterruptedException {
        keys.clear();
        again.clear();
        fresh.clear();
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
        Map<Integer, LrmsJob> words = new HashMap<>();
        if (!due.isEmpty()) {
            compare(due, words);
        }
        return words;
    }

    /** The words about the ends of these jobs are stored. */
    void settle(Collection<Integer> ids) {
        ids.forEach(id -> settled.add(keys.get(id)));
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
                && row.batchJob().attempt() > 0
                && row.since().plus(LATE).isAfter(clock.instant())
                && isAlive(job);
    }

    /** Without a time of its own, an end came after the poll before the one that shows it first; out of memory counts always. */
    private LrmsJob timed(Key key, LrmsJob job) {
        boolean memory = job.reason() != null && job.reason().startsWith(LrmsJob.OUT_OF_MEMORY);
        return job.endedAt() != null || memory || !job.state().isEnd() ? job : job.endedAt(aliveAt.get(key));
    }

    private void compare(Map<Key, LrmsJob> due, Map<Integer, LrmsJob> words) throws InterruptedException {
        Set<Integer> ids = due.keySet().stream()
                .map(key -> stored.sandboxes().row(key.job()))
                .collect(Collectors.toSet());
        Map<Integer, JobRow> rows = new HashMap<>();
        stored.database().read(h -> stored.jobs().byId(h, ids)).forEach(row -> rows.put(row.id(), row));
        due.forEach((key, job) -> {
            JobRow row = rows.get(stored.sandboxes().row(key.job()));
            if (row != null && !row.state().isFinal()) {
                return; // compared when it has ended
            }
            boolean late = row != null && isLate(row, job);
            if (row == null || (!late && !key.lrmsId().equals(row.lrmsId()))) {
                // Any local user can give a job one of our names.
                settled.add(key);
                foreign.add(key);
                waiting.remove(key);
                return;
            }
            boolean against = decision.isAgainst(job);
            if (against && row.state().isFinal() && decision.hasWord(row)) {
                settled.add(key);
            } else if (against) {
                words.put(row.id(), job);
                keys.put(row.id(), key);
            } else if (late || job.isInQueue()) {
                settled.add(key); // one that still runs has its end to come
            }
            if (late || (job.isInQueue() && (against || isOld(row)))) {
                again.put(row.id(), key);
                if (reported.add(key) || waiting.getOrDefault(key, 0) % REPORT_ROUNDS == 2) {
                    fresh.add(key.lrmsId());
                }
            }
        });
    }

    /** Whether what is done about it in the batch system now can't be taken for the cause of its end, by another node or after a crash. */
    private boolean isOld(JobRow row) {
        return row.since().plus(EndDecision.CLOCKS_DIFFER.multipliedBy(2)).isBefore(clock.instant());
    }

    /**
     * Cancels what {@link #check} has found to wait or to run there, which the poll has just shown under its id and tag. Called when the ends are stored:
     * otherwise this cancel could be taken for their cause.
     *
     * @param stuck rows of jobs whose ends are not stored yet
     */
    void cancel(Set<Integer> stuck) throws InterruptedException {
        again.keySet().removeAll(stuck);
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
                one.getValue().stream().filter(fresh::contains).forEach(id -> failures.add(id + ": " + Messages.of(e)));
            }
        }
        if (!refusals.isEmpty()) {
            log.warn("{} refused to cancel, tried again now and then: {}", lrms.name(), Overruns.bounded(refusals));
        }
        if (!failures.isEmpty()) {
            log.warn("{} did not cancel, tried again now and then: {}", lrms.name(), Overruns.bounded(failures));
        }
    }
}
