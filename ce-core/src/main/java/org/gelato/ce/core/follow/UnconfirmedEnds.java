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
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.intake.WrapperEventIntake;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * The jobs that have ended by their wrappers' word alone, and whose end no poll has shown: these are to be looked up in the batch system's
 * history. The database knows until when none is left, so that a start finds them however long the CE was away.
 *
 * <p>Costs three statements where jobs have ended since the last round, two by an index alone in every tenth otherwise, and one a minute.
 * Confined to the poller's thread.
 */
final class UnconfirmedEnds {
    /** An end is shown at once up to so long after it happened; what clocks and commits take is added. */
    private static final Duration SHOWN_LATE = WrapperEventIntake.OLD.plusMinutes(2);
    /** Rounds between two looks for jobs that began and ended within one. */
    private static final int ROUNDS = 10;
    /** Ends that are open at once; others are read when these are confirmed. */
    private static final int MAX = 10_000;
    /** Keys of ends that are read at once. */
    private static final int MAX_READ = 100_000;
    /** Between two times at which the database gets to know. */
    private static final Duration MARKED = Duration.ofMinutes(1);
    /** Look-ups of an end of which the history says nothing that counts; it stays as its wrapper reported then. */
    static final int MAX_TRIES = 1000;
    /** Rounds that the history is left alone after many failures. */
    private static final int LONGEST_PAUSE = 64;

    private final FollowedJobs stored;
    private final EndDecision decision;
    private final Collection<Integer> queues;
    private final Clock clock;
    private final Map<Integer, JobRow> open = new LinkedHashMap<>();
    /** Of those, look-ups without a word that counts. */
    private final Map<Integer, Integer> tries = new HashMap<>();
    /** Those that are read and confirmed, until their time is over, with when they ended. */
    private final Map<Integer, Instant> confirmed = new HashMap<>();

    private Set<Integer> lastFollowed = Set.of();
    /** Before it no end is open; null before the first round. */
    private Instant from;

    private Instant marked = Instant.EPOCH;
    private int rounds;
    private int pause;
    private int paused;

    UnconfirmedEnds(FollowedJobs stored, EndDecision decision, Collection<Integer> queues, Clock clock) {
        this.stored = stored;
        this.decision = decision;
        this.queues = queues;
        this.clock = clock;
    }

    /** Whether polls are wanted though no job is followed. */
    boolean isOpen() {
        return from == null || !open.isEmpty();
    }

    /**
     * Reads the ends since the last round; called before each poll.
     *
     * @param followed jobs that have not ended
     */
    void read(Collection<JobRow> followed) {
        Set<Integer> ids = followed.stream().map(JobRow::id).collect(Collectors.toSet());
        boolean ended = !ids.containsAll(lastFollowed);
        lastFollowed = ids;
        Instant now = clock.instant();
        if (from == null) {
            from = stored.database()
                    .read(h -> stored.jobs().confirmedUntil(h, queues))
                    .orElse(now.minus(EndDecision.RECENT));
            ended = true;
        }
        if (from.isAfter(now)) {
            from = now.minus(EndDecision.RECENT); // a clock was ahead
        }
        if (!ended && ++rounds % ROUNDS != 0) {
            return;
        }
        Map<Integer, Instant> ends = stored.database().read(h -> stored.jobs().endedSince(h, from, MAX_READ));
        Instant last = now.minus(SHOWN_LATE);
        Map<Integer, Instant> fresh = new HashMap<>();
        for (Map.Entry<Integer, Instant> end : ends.entrySet()) {
            boolean known = open.containsKey(end.getKey()) || confirmed.containsKey(end.getKey());
            if (!known && open.size() + fresh.size() >= MAX) {
                last = earlier(last, end.getValue());
                break; // it is read when others are confirmed
            }
            if (!known) {
                fresh.put(end.getKey(), end.getValue());
            }
        }
        if (ends.size() == MAX_READ) {
            last = earlier(last, ends.values().stream().max(Instant::compareTo).orElse(last));
        }
        List<JobRow> rows = fresh.isEmpty()
                ? List.of()
                : stored.database().read(h -> stored.jobs().byId(h, fresh.keySet()));
        confirmed.putAll(fresh);
        for (JobRow row : rows) {
            // one without an id may be another CE's job of the same name
            if (queues.contains(row.registration().queueId()) && row.lrmsId() != null && !decision.hasWord(row)) {
                open.put(row.id(), row);
                confirmed.remove(row.id());
            }
        }
        advance(last, now);
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private void advance(Instant last, Instant now) {
        Instant oldest = open.values().stream().map(JobRow::since).reduce(last, UnconfirmedEnds::earlier);
        if (!oldest.isAfter(from)) {
            return;
        }
        from = oldest;
        boolean any = !confirmed.isEmpty();
        confirmed.values().removeIf(since -> since.isBefore(from));
        if (any && !marked.plus(MARKED).isAfter(now)) {
            marked = now;
            stored.database().change(h -> stored.jobs().confirmed(h, queues, from, now));
        }
    }

    /**
     * Confirms what a poll shows, and returns what is to be looked up.
     *
     * @param byId what it shows
     * @param isAgainst whether the batch system's word is not the wrapper's: such ends are left to be settled
     */
    List<JobRow> toLookUp(Map<String, LrmsJob> byId, Predicate<LrmsJob> isAgainst) {
        List<JobRow> unseen = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (JobRow row : open.values()) {
            LrmsJob job = stored.shown(row, byId);
            if (job == null) {
                unseen.add(row);
            } else if (job.state().isEnd() ? !isAgainst.test(job) : isPast(row)) {
                seen.add(row.id());
            }
        }
        settled(seen);
        if (paused > 0) {
            paused--;
            return List.of();
        }
        return unseen;
    }

    /** What it does to a job that runs on so long after its end does not count. */
    private boolean isPast(JobRow row) {
        return row.since().plus(EndDecision.RECENT).isBefore(clock.instant());
    }

    /** The batch system's word of these is stored, or there is none to be had. */
    void settled(Collection<Integer> ids) {
        for (Integer id : ids) {
            JobRow row = open.remove(id);
            tries.remove(id);
            if (row != null) {
                confirmed.put(id, row.since());
            }
        }
    }

    /** The history says nothing of these that counts, though it responded: they are looked up once more when all others have been. */
    void putOff(Collection<Integer> ids) {
        List<Integer> over = new ArrayList<>();
        for (Integer id : ids) {
            JobRow row = open.remove(id);
            if (row != null) {
                open.put(id, row);
                if (tries.merge(id, 1, Integer::sum) >= MAX_TRIES) {
                    over.add(id);
                }
            }
        }
        settled(over);
    }

    /** The history responded, or failed: then it is left alone for more rounds each time. */
    void lookedUp(boolean responded) {
        pause = responded ? 0 : Math.min(LONGEST_PAUSE, Math.max(1, 2 * pause));
        paused = pause;
    }
}
