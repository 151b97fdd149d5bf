package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.route.RouteQueues;
import org.gelato.ce.core.route.Routes;

/**
 * The claim budget of each lane: how many of its commands this node may have in flight. Half of what may be in flight is for hand-overs to each batch system,
 * as far as its {@link SubmissionThrottle} goes; a quarter for control, and four times all of it for purges, which are short and
 * call no batch system, so that they come in large bunches, of few statements and commits: whatever of them hangs, the
 * others have their places. The next bunch of purges is claimed when most of the last are done: claimed beside it, it
 * would take the processors from calls that clients wait for. Starts for a batch system that is no longer configured are
 * claimed too, to be refused.
 *
 * <p>No account takes the places of the others: a command that has had no result for as long as one may take leaves its place,
 * up to {@value #BEYOND} times those of its lane, and further ones of its account wait for a pause of that account alone
 * ({@link ScopedPauses}). What a pause set aside shares the places of its lane with the rest. Thread-safe.
 */
final class ClaimBudgets {
    private static final int PURGES = 4;
    /** Of the places of purges, the part that may be taken when the next are claimed. */
    private static final int LAST_OF_A_BUNCH = 8;
    /** Of the places of a lane, what may be under way with those that hang. */
    private static final int BEYOND = 4;
    /** Between two searches for what hangs. */
    private static final Duration SWEEP = Duration.ofSeconds(1);

    private final Map<String, SubmissionThrottle> throttles;
    private final Map<String, Integer> bounds = new HashMap<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private final ScopedPauses pauses;
    private final LongSupplier ticker;
    /** Claimed and not completed, by claim: a command that another node returned to the queue may be claimed here once more. */
    private final Map<ClaimedCommand, Flight> flights = new HashMap<>();
    /** Of those in flight, how many have had no result for too long. */
    private final Map<String, Integer> hung = new HashMap<>();

    /** By lane, since when all its places have been taken without a command that was completed. */
    private final Map<String, Long> fullSince = new HashMap<>();

    private long sweptAt;
    /** Who is first where both have room: what a pause set aside, or the others. */
    private boolean pausedFirst;

    /** Given to commands that are about to be inserted, whose hand-over has not begun. */
    private final Map<String, Integer> reserved = new HashMap<>();
    /** ClaimBudgets of which nothing is claimed now, and how many want it so. */
    private final Map<String, Integer> held = new HashMap<>();
    /**
     * Budgets that were not read to their ends at the last query: more may wait there. Changed under the lock, read
     * without.
     */
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    /** Places for commands that are about to be inserted; kept until exactly one call of {@link #taken}. */
    @FunctionalInterface
    interface Places {
        /** These commands were inserted as claimed, and nothing else was. */
        void taken(List<ClaimedCommand> commands);
    }

    /**
     * A command under way.
     *
     * @param begun time of the ticker
     * @param hangs whether it has had no result for too long
     * @param answered whether it has its result, which is still to be stored
     */
    private record Flight(long begun, boolean hangs, boolean answered) {
        Flight hung() {
            return new Flight(begun, true, answered);
        }

        Flight ended() {
            return new Flight(begun, hangs, true);
        }
    }

    /** Of a site without limits of routes. */
    ClaimBudgets(Map<String, SubmissionThrottle> throttles, int maxInFlight, LongSupplier ticker) {
        this(throttles, new RouteQueues(Routes.NONE), maxInFlight, ticker);
    }

    /** @param ticker nanoseconds from any beginning */
    ClaimBudgets(Map<String, SubmissionThrottle> throttles, RouteQueues queues, int maxInFlight, LongSupplier ticker) {
        this.ticker = ticker;
        this.sweptAt = ticker.getAsLong();
        this.pauses = new ScopedPauses(this::limits, queues, ticker);
        this.throttles = throttles.entrySet().stream()
                .collect(Collectors.toMap(e -> Lane.handOver(e.getKey()), Map.Entry::getValue));
        int quarter = Math.max(1, maxInFlight / 4);
        this.throttles.keySet().forEach(lane -> bounds.put(lane, 2 * quarter));
        List.of(Lane.CONTROL, Lane.OTHER).forEach(lane -> bounds.put(lane, quarter));
        bounds.put(Lane.PURGE, PURGES * Math.max(1, maxInFlight));
        waiting.addAll(bounds.keySet());
    }

    /** Pauses of single accounts and queues. */
    ScopedPauses pauses() {
        return pauses;
    }

    private HandOverLimits limits(String lane) {
        SubmissionThrottle throttle = throttles.get(lane);
        return throttle == null ? HandOverLimits.DEFAULT : throttle.limits();
    }

    /**
     * Keeps places for commands of a kind that are about to be inserted.
     *
     * @return empty when there are not so many, when others wait for them, or when the lane is not known before the jobs are
     *     read: that of starts where there are several batch systems
     */
    synchronized Optional<Places> reserve(CommandKind kind, int count) {
        if (kind == CommandKind.JOB_START && throttles.size() != 1) {
            return Optional.empty();
        }
        String lane =
                kind == CommandKind.JOB_START ? throttles.keySet().iterator().next() : Lane.of(kind);
        if (waiting.contains(lane) || room(lane) < count) {
            return Optional.empty();
        }
        inFlight.merge(lane, count, Integer::sum);
        reserved.merge(lane, count, Integer::sum);
        return Optional.of(commands -> taken(lane, count, commands));
    }

    private synchronized void taken(String lane, int count, List<ClaimedCommand> commands) {
        inFlight.merge(lane, -count, Integer::sum);
        reserved.merge(lane, -count, Integer::sum);
        commands.forEach(this::claimed);
    }

    /**
     * Nothing of the kind's lane is claimed until all holds of it are closed.
     *
     * @param freed called when this one is
     */
    synchronized DirectClaims.Hold hold(CommandKind kind, Runnable freed) {
        held.merge(Lane.of(kind), 1, Integer::sum);
        return () -> {
            release(Lane.of(kind));
            freed.run();
        };
    }

    private synchronized void release(String lane) {
        held.computeIfPresent(lane, (l, n) -> n == 1 ? null : n - 1);
    }

    /** Serves batch systems that have jobs here, whether configured or not. */
    synchronized void serve(Collection<String> lrms) {
        lrms.forEach(name -> bounds.putIfAbsent(Lane.handOver(name), bounds.get(Lane.OTHER)));
    }

    /**
     * ClaimBudgets with room, and how much.
     *
     * @param everywhere not only of lanes in which more may wait
     */
    synchronized Map<String, Integer> room(boolean everywhere) {
        sweep();
        Map<String, Integer> room = new HashMap<>();
        for (String lane : bounds.keySet()) {
            boolean usual = everywhere || waiting.contains(lane);
            Map<String, Integer> paused = pauses.room(lane);
            int free = usual || !paused.isEmpty() ? toClaim(lane) : 0;
            if (free > 0) {
                share(room, lane, usual, isTried(lane) ? Map.of() : paused, free);
            }
        }
        return room;
    }

    /** Whether its batch system is tried by one command: that is none of what a pause of its own holds. */
    private boolean isTried(String lane) {
        SubmissionThrottle throttle = throttles.get(lane);
        return throttle != null && throttle.isTrial();
    }

    /** Half for what is set aside, the odd place in turn. */
    private void share(Map<String, Integer> room, String lane, boolean usual, Map<String, Integer> paused, int free) {
        int left = free;
        if (!paused.isEmpty()) {
            pausedFirst = !pausedFirst;
            Map<String, Integer> given = evenly(paused, usual ? (free + (pausedFirst ? 1 : 0)) / 2 : free);
            pauses.served(given.keySet());
            room.putAll(given);
            left -= given.values().stream().mapToInt(n -> n).sum();
        }
        if (usual && left > 0) {
            room.put(lane, left);
        }
    }

    /** One after the other gets one more, until all have what they want or nothing is left. */
    private static Map<String, Integer> evenly(Map<String, Integer> wanted, int places) {
        Map<String, Integer> given = new HashMap<>();
        int left = places;
        for (int before = left + 1; left > 0 && left < before; ) {
            before = left;
            for (Map.Entry<String, Integer> e : wanted.entrySet()) {
                if (left > 0 && given.getOrDefault(e.getKey(), 0) < e.getValue()) {
                    given.merge(e.getKey(), 1, Integer::sum);
                    left--;
                }
            }
        }
        return given;
    }

    /** Finds what hangs, once a second. */
    private void sweep() {
        long now = ticker.getAsLong();
        if (now - sweptAt < SWEEP.toNanos()) {
            return;
        }
        sweptAt = now;
        flights.replaceAll((command, flight) -> {
            Duration missing = Duration.ofNanos(now - flight.begun());
            String lane = Lane.of(command);
            // One with a result waits for the database: no fault of its account.
            if (flight.hangs()
                    || flight.answered()
                    || missing.compareTo(limits(lane).slowestResponse()) <= 0) {
                return flight;
            }
            hung.merge(lane, 1, Integer::sum);
            if (!isPaused(lane)) {
                pauses.hung(command, missing);
            }
            return flight.hung();
        });
        pauses.forgetEnded();
        for (String lane : bounds.keySet()) {
            if (isFull(lane)) {
                fullSince.putIfAbsent(lane, now);
            } else {
                fullSince.remove(lane);
            }
        }
    }

    /** Whether a lane may have no further command under way, whatever its batch system takes. */
    private boolean isFull(String lane) {
        int all = inFlight.getOrDefault(lane, 0);
        int working = all - hung.getOrDefault(lane, 0);
        return working >= bounds.get(lane) || all >= BEYOND * bounds.get(lane);
    }

    /**
     * Lanes that are stuck: for a time all their places have been taken, and nothing of them was completed.
     *
     * @param longest that this may last
     * @return for how long it has, by lane
     */
    synchronized Map<String, Duration> stuck(Duration longest) {
        long now = ticker.getAsLong();
        Map<String, Duration> stuck = new TreeMap<>();
        fullSince.forEach((lane, since) -> {
            if (now - since > longest.toNanos()) {
                stuck.put(lane, Duration.ofNanos(now - since));
            }
        });
        return stuck;
    }

    /** Whether it is the batch system that hangs. */
    private boolean isPaused(String lane) {
        SubmissionThrottle throttle = throttles.get(lane);
        return throttle != null && throttle.room() == 0 && throttle.pausedBy() != null;
    }

    /** Commands under way for longer than this, of which no result is expected any more. */
    synchronized List<ClaimedCommand> longerThan(Duration longest) {
        long now = ticker.getAsLong();
        return flights.entrySet().stream()
                .filter(f -> !f.getValue().answered() && now - f.getValue().begun() > longest.toNanos())
                .map(Map.Entry::getKey)
                .toList();
    }

    private int room(String lane) {
        SubmissionThrottle throttle = throttles.get(lane);
        return throttle == null
                ? places(lane)
                : Math.min(places(lane), throttle.room() - reserved.getOrDefault(lane, 0));
    }

    /** Where more waited than there was room for, bunches are claimed. */
    private int toClaim(String lane) {
        SubmissionThrottle throttle = throttles.get(lane);
        if (throttle == null || !waiting.contains(lane)) {
            return room(lane);
        }
        return Math.min(places(lane), throttle.roomForMany() - reserved.getOrDefault(lane, 0));
    }

    private int places(String lane) {
        if (held.containsKey(lane)) {
            return 0;
        }
        int all = inFlight.getOrDefault(lane, 0);
        int working = all - hung.getOrDefault(lane, 0);
        if (lane.equals(Lane.PURGE) && working > bounds.get(lane) / LAST_OF_A_BUNCH) {
            return 0;
        }
        return Math.min(bounds.get(lane) - working, BEYOND * bounds.get(lane) - all);
    }

    /**
     * Notes what a query for due commands found, and notifies batch systems of which nothing was found.
     *
     * @param room what was queried; of lanes without room nothing is known
     * @param everywhere whether all lanes with room were queried
     */
    void looked(Map<String, Integer> room, boolean everywhere, CommandStore.Claim claim) {
        note(room, everywhere, claim);
        if (claim.readAll()) {
            throttles.forEach((lane, throttle) -> {
                if (room.containsKey(lane) && !claim.found().containsKey(lane)) {
                    throttle.nothingWaits();
                }
            });
        }
    }

    private synchronized void note(Map<String, Integer> room, boolean everywhere, CommandStore.Claim claim) {
        if (everywhere) {
            waiting.addAll(bounds.keySet());
        }
        room.forEach((lane, most) -> {
            boolean more = claim.found().getOrDefault(lane, 0) >= most;
            if (!more && PauseScope.isOne(lane)) {
                pauses.empty(lane);
            } else if (!more && claim.readAll()) {
                waiting.remove(lane);
            }
        });
    }

    synchronized void claimed(ClaimedCommand command) {
        if (flights.putIfAbsent(command, new Flight(ticker.getAsLong(), false, false)) == null) {
            inFlight.merge(Lane.of(command), 1, Integer::sum);
        }
    }

    /** A command has its result; it keeps its place until that is stored. */
    synchronized void answered(ClaimedCommand command) {
        flights.computeIfPresent(command, (claim, flight) -> flight.ended());
    }

    /** Gives the place of a claim back; returns whether others may wait for it. */
    synchronized boolean completed(ClaimedCommand command) {
        String lane = Lane.of(command);
        Flight flight = flights.remove(command);
        if (flight != null) {
            inFlight.merge(lane, -1, Integer::sum);
            hung.merge(lane, flight.hangs() ? -1 : 0, Integer::sum);
            fullSince.remove(lane);
        }
        return waiting.contains(lane) || pauses.any();
    }

    /** Whether commands may wait for room to hand over to a batch system. Takes no lock. */
    boolean mayWait(String lrms) {
        return waiting.contains(Lane.handOver(lrms)) || pauses.any();
    }

    /**
     * Whether a lane that had no room at the last query has some now: the end of a command may have been reported too
     * early.
     */
    synchronized boolean hasRoomUnread() {
        return waiting.stream().anyMatch(lane -> toClaim(lane) > 0)
                || (pauses.any()
                        && bounds.keySet().stream()
                                .anyMatch(lane -> !pauses.room(lane).isEmpty() && toClaim(lane) > 0 && !isTried(lane)));
    }

    /** Claimed and not completed. */
    synchronized int inFlight() {
        return inFlight.values().stream().mapToInt(n -> n).sum();
    }
}
