package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.gelato.ce.core.base.ClockSteps;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.intake.ReportedEnds;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;

/**
 * Collects in each round what is known of the ends of jobs: the ends that their wrappers have reported and that wait in the database for the
 * batch system's word, what silent wrappers have left, what the poll shows, and, by one look-up for all, what the history knows of those that it does not show.
 * {@link StoredEnds} stores what follows. Confined to the poller's thread.
 */
final class EndCollector {
    /** For the batch system's word. Some clean up after many jobs, and show them as running for a minute. */
    static final Duration PATIENCE = Duration.ofMinutes(5);
    /** For ends that wait only for their turn. */
    private static final Duration LONGEST = Duration.ofMinutes(30);
    /** Rounds between two looks for ends that have waited for too long. */
    private static final int ROUNDS = 10;
    /** The same where rounds take long. */
    private static final Duration EXPIRY = Duration.ofMinutes(1);
    /** Jobs in a look-up, which is one process where names are given to a command. */
    static final int MAX = 200;
    /** Shown ends that are stored in a round. */
    private static final int MAX_STORED = 500;

    private final BatchHistory history;
    private final Lrms lrms;
    private final FollowedJobs stored;
    private final EndDecision decision;
    private final SilentWrappers silent;
    private final UnconfirmedEnds unconfirmed;
    private final ShownAfterEnd after;
    private final StoredEnds ends;
    private final Clock clock;
    private final ReportedEnds reported = new ReportedEnds();
    private int rounds;
    private long lastExpired;
    private final LongSupplier ticker;
    private final ClockSteps steps;
    /** Before it the batch system was not asked regularly: what has waited by the clock may not have waited for it. */
    private long waitingSince;

    private long lastBegun;

    private boolean behind;
    private final Set<Integer> undecided = new LinkedHashSet<>();

    private long nanosWithoutResponse;

    EndCollector(
            BatchHistory history,
            FollowedJobs stored,
            EndWitnesses witnesses,
            BatchMessages words,
            EndDecision decision,
            Collection<Integer> queues,
            Clock clock,
            LongSupplier ticker) {
        this.history = history;
        this.lrms = history.port();
        this.stored = stored;
        this.decision = decision;
        this.silent = new SilentWrappers(lrms, stored, witnesses, clock);
        this.unconfirmed = new UnconfirmedEnds(stored, decision, queues, clock);
        this.after = new ShownAfterEnd(lrms, stored, decision, clock);
        this.ends = new StoredEnds(lrms.name(), stored, decision, words, witnesses.journals(), clock);
        this.clock = clock;
        this.ticker = ticker;
        this.steps = new ClockSteps(clock, ticker);
        this.waitingSince = ticker.getAsLong();
        this.lastExpired = waitingSince;
        this.lastBegun = waitingSince;
    }

    /** A job whose end is sought. */
    private record Sought(JobRow row, WrapperEvent report, Evidence.Silence silence) {
        StoredEnds.Found found(LrmsJob job) {
            return new StoredEnds.Found(job, silence, report == null ? null : report.usage(), false);
        }
    }

    /**
     * Called before the poll of each round.
     *
     * @param rest how long the poller meant to rest before the round
     */
    void begin(Collection<JobRow> followed, Duration rest) throws InterruptedException {
        after.start();
        expire(rest);
        if (lrms.findsManyAtOnce() && lrms.ends().tellFailures()) {
            unconfirmed.read(followed);
        }
    }

    /**
     * Stores without the batch system's word the ends that have waited for too long, of whatever queue, and forgets those of jobs that
     * have ended otherwise. Does so every tenth time, and each minute: nothing that fails or is not followed any more holds up an end.
     * The time before a start of this process, without rounds, and before the clock was set forward does not count: the batch system was
     * not asked then.
     */
    private void expire(Duration rest) throws InterruptedException {
        boolean wasBehind = behind;
        behind = false;
        long now = ticker.getAsLong();
        boolean isSet = steps.forward().compareTo(EXPIRY) > 0;
        boolean isPause = isPause(Duration.ofNanos(now - lastBegun), rest);
        lastBegun = now;
        if (isSet || isPause) {
            waitingSince = now;
        }
        if (++rounds % ROUNDS != 0 && now - lastExpired < EXPIRY.toNanos()) {
            return;
        }
        lastExpired = now;
        Duration patience = wasBehind ? LONGEST : PATIENCE;
        if (now - waitingSince < patience.toNanos()) {
            return;
        }
        Instant before = clock.instant().minus(patience);
        Collection<Integer> old;
        Set<Integer> stuck = Set.of();
        do {
            old = stored.database().read(h -> reported.before(h, before));
            Map<Integer, StoredEnds.Found> found = new HashMap<>();
            old.forEach(id -> found.put(id, new StoredEnds.Found(null, null, null, true)));
            stuck = ends.store(found);
        } while (old.size() == ReportedEnds.MAX && stuck.isEmpty());
    }

    /** Whether there were no rounds for longer than was meant; a long interval of polls is none. */
    static boolean isPause(Duration sinceTheLastRound, Duration rest) {
        return sinceTheLastRound.minus(rest).compareTo(PATIENCE) > 0;
    }

    /** Whether the last round has left ends over that it could have settled. */
    boolean isBehind() {
        return behind;
    }

    /** Whether polls are wanted though no job is followed. */
    boolean isOpen() {
        boolean asks = lrms.findsManyAtOnce() && lrms.ends().tellFailures();
        return after.isOpen() || (asks && unconfirmed.isOpen());
    }

    /** No job is followed. */
    void rest() {
        silent.forget();
    }

    /** A job is shown as not ended. */
    void alive(JobRow row) {
        silent.forget(row);
    }

    /** Of these jobs those of which an end is reported and waits. */
    Map<Integer, WrapperEvent> waiting(Collection<Integer> jobs) {
        return jobs.isEmpty() ? Map.of() : stored.database().read(h -> reported.of(h, jobs));
    }

    /**
     * Stores the ends of those of which enough is known.
     *
     * @param over jobs that the batch system shows as ended or waiting again, or not at all, with what it shows: null for nothing
     * @param reports those of them that have reported an end
     * @param ended of the others those that are shown as ended, or not at all
     */
    void collect(Map<JobRow, LrmsJob> over, Map<Integer, WrapperEvent> reports, List<JobRow> ended, Polled poll)
            throws InterruptedException {
        Map<Integer, StoredEnds.Found> found = new TreeMap<>();
        Map<Integer, Sought> sought = new LinkedHashMap<>();
        Map<Integer, JobRow> rows = new HashMap<>();
        over.keySet().forEach(row -> rows.put(row.id(), row));
        int read = 0;
        for (Map.Entry<Integer, WrapperEvent> one : reports.entrySet()) {
            JobRow row = rows.get(one.getKey());
            Sought job = new Sought(row, one.getValue(), null);
            LrmsJob shown = over.get(row);
            boolean reads = BatchMessages.isOpen(shown);
            if (shown == null) {
                sought.put(row.id(), job);
            } else if (found.size() < MAX_STORED && (!reads || ++read <= StoredEnds.MAX_READ)) {
                found.put(row.id(), job.found(shown));
            } else {
                behind = true;
            }
        }
        behind |= sought.size() > MAX;
        silent.look(ended).forEach((row, silence) -> sought.put(row.id(), new Sought(row, null, silence)));
        unconfirmed
                .toLookUp(poll.byId(), decision::isAgainst)
                .forEach(row -> sought.putIfAbsent(row.id(), new Sought(row, null, null)));
        try {
            lookUp(sought, poll.byId(), found);
            silent.report();
        } finally {
            store(found, poll);
        }
    }

    /**
     * What a poll has shown.
     *
     * @param followed jobs that had not ended when it began
     * @param byId by the batch system's ids
     */
    record Polled(Collection<JobRow> followed, Map<String, LrmsJob> byId) {}

    private void store(Map<Integer, StoredEnds.Found> found, Polled poll) throws InterruptedException {
        Map<Integer, LrmsJob> words = after.check(poll.followed(), poll.byId().values());
        words.forEach((id, job) -> found.putIfAbsent(id, new StoredEnds.Found(job, null, null, false)));
        Set<Integer> stuck = ends.store(found);
        found.keySet().removeAll(stuck);
        words.keySet().removeAll(stuck);
        after.settle(words.keySet());
        unconfirmed.settled(found.keySet());
        after.cancel(stuck);
    }

    /** Asks the history about those that are not shown, the first of them; while it gives no response they wait. */
    private void lookUp(Map<Integer, Sought> sought, Map<String, LrmsJob> byId, Map<Integer, StoredEnds.Found> found)
            throws InterruptedException {
        if (sought.isEmpty()) {
            return;
        }
        List<Integer> some = turn(sought.keySet());
        Map<Integer, SandboxStore.Place> places = stored.sandboxes().of(some);
        long begun = System.nanoTime();
        Optional<Map<String, LrmsJob>> response = history.find(places.entrySet().stream()
                .map(e -> history.lookup(sought.get(e.getKey()).row(), e.getValue()))
                .toList());
        unconfirmed.lookedUp(response.isPresent());
        if (response.isEmpty()) {
            nanosWithoutResponse += System.nanoTime() - begun;
            return;
        }
        Set<Integer> over = new HashSet<>(some);
        over.removeAll(places.keySet()); // purged
        for (Map.Entry<Integer, SandboxStore.Place> e : places.entrySet()) {
            Integer id = e.getKey();
            SandboxStore.Place place = e.getValue();
            Sought one = sought.get(id);
            LrmsJob job = response.get().get(place.id().tag());
            if (job != null && one.silence() == null && !job.isUnreadable() && !isOf(one, job)) {
                job = null;
            }
            if (job == null && one.silence() != null) {
                job = stored.shown(one.row(), byId);
            }
            boolean isStored = one.report() == null && one.silence() == null;
            if (isStored && job != null && job.state().isEnd() && !decision.isAgainst(job)) {
                over.add(id);
            } else if ((job == null || job.state().isEnd())
                    && (one.silence() == null || silent.isOver(one.row(), place))) {
                found.put(id, one.found(job)); // otherwise it runs after all, or nothing is known now
            }
        }
        unconfirmed.settled(over);
        Set<Integer> left = new HashSet<>(places.keySet());
        left.removeAll(found.keySet());
        unconfirmed.putOff(left);
    }

    /** So many as a look-up takes: those that were looked up without a decision come behind the others, the last ones last. */
    private List<Integer> turn(Set<Integer> sought) {
        undecided.retainAll(sought);
        List<Integer> some = Stream.concat(sought.stream().filter(id -> !undecided.contains(id)), undecided.stream())
                .limit(MAX)
                .toList();
        undecided.removeAll(some);
        undecided.addAll(some);
        return some;
    }

    /** Nanoseconds that look-ups without a response took since the last call. */
    long nanosWithoutResponse() {
        long nanos = nanosWithoutResponse;
        nanosWithoutResponse = 0;
        return nanos;
    }

    /** Any local user can give a job one of our names: by its tag alone a job is ours only where no id is known. */
    private boolean isOf(Sought one, LrmsJob job) {
        return one.row().lrmsId() == null
                || lrms.isSame(one.row().lrmsId(), job.lrmsId())
                || (one.report() != null
                        && one.report().lrmsId() != null
                        && lrms.isSame(job.lrmsId(), one.report().lrmsId()));
    }
}
