package org.gelato.ce.core.command;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The claim budget of each lane: how many of its commands this node may have in flight. Half of what may be in flight is for hand-overs to each batch system,
 * as far as its {@link SubmissionThrottle} goes; a quarter for control, and four times all of it for purges, which are short and
 * call no batch system, so that they come in large bunches, of few statements and commits: whatever of them hangs, the
 * others have their places. The next bunch of purges is claimed when most of the last are done: claimed beside it, it
 * would take the processors from calls that clients wait for. Starts for a batch system that is no longer configured are
 * claimed too, to be refused. Thread-safe.
 */
final class ClaimBudgets {
    private static final int PURGES = 4;
    /** Of the places of purges, the part that may be taken when the next are claimed. */
    private static final int LAST_OF_A_BUNCH = 8;

    private final Map<String, SubmissionThrottle> throttles;
    private final Map<String, Integer> bounds = new HashMap<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
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

    ClaimBudgets(Map<String, SubmissionThrottle> throttles, int maxInFlight) {
        this.throttles = throttles.entrySet().stream()
                .collect(Collectors.toMap(e -> Lane.handOver(e.getKey()), Map.Entry::getValue));
        int quarter = Math.max(1, maxInFlight / 4);
        this.throttles.keySet().forEach(lane -> bounds.put(lane, 2 * quarter));
        List.of(Lane.CONTROL, Lane.OTHER).forEach(lane -> bounds.put(lane, quarter));
        bounds.put(Lane.PURGE, PURGES * Math.max(1, maxInFlight));
        waiting.addAll(bounds.keySet());
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
        Map<String, Integer> room = new HashMap<>();
        for (String lane : everywhere ? bounds.keySet() : waiting) {
            int free = toClaim(lane);
            if (free > 0) {
                room.put(lane, free);
            }
        }
        return room;
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
        if (lane.equals(Lane.PURGE) && inFlight.getOrDefault(lane, 0) > bounds.get(lane) / LAST_OF_A_BUNCH) {
            return 0;
        }
        return bounds.get(lane) - inFlight.getOrDefault(lane, 0);
    }

    /**
     * Notes what a query for due commands found, and notifies batch systems of which nothing was found.
     *
     * @param room what was queried; of lanes without room nothing is known
     * @param everywhere whether all lanes with room were queried
     */
    void looked(Map<String, Integer> room, boolean everywhere, CommandStore.Claim claim) {
        note(room, everywhere, claim);
        if (claim.commands().isEmpty()) {
            Set<String> empty = room.keySet();
            throttles.forEach((lane, throttle) -> {
                if (empty.contains(lane)) {
                    throttle.nothingWaits();
                }
            });
        }
    }

    private synchronized void note(Map<String, Integer> room, boolean everywhere, CommandStore.Claim claim) {
        if (everywhere) {
            waiting.addAll(bounds.keySet());
        }
        if (claim.readAll()) {
            Map<String, Integer> found = new HashMap<>();
            claim.commands().forEach(command -> found.merge(Lane.of(command), 1, Integer::sum));
            room.forEach((lane, most) -> {
                if (found.getOrDefault(lane, 0) < most) {
                    waiting.remove(lane);
                }
            });
        }
    }

    synchronized void claimed(ClaimedCommand command) {
        inFlight.merge(Lane.of(command), 1, Integer::sum);
    }

    /** Gives a place back; returns whether others may wait for it. */
    synchronized boolean completed(ClaimedCommand command) {
        inFlight.merge(Lane.of(command), -1, Integer::sum);
        return waiting.contains(Lane.of(command));
    }

    /** Whether commands may wait for room to hand over to a batch system. Takes no lock. */
    boolean mayWait(String lrms) {
        return waiting.contains(Lane.handOver(lrms));
    }

    /**
     * Whether a lane that had no room at the last query has some now: the end of a command may have been reported too
     * early.
     */
    synchronized boolean hasRoomUnread() {
        return waiting.stream().anyMatch(lane -> toClaim(lane) > 0);
    }

    /** Claimed and not completed. */
    synchronized int inFlight() {
        return inFlight.values().stream().mapToInt(n -> n).sum();
    }
}
