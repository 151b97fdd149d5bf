package org.gelato.ce.core.command;

import java.util.HashMap;
import java.util.Map;

/**
 * Virtual-time fair queueing between owners. A start gets the turn {@code max(turn served last, owner's last turn) + 1}
 * when it is inserted, and claims go by turn; so the first of an owner's jobs is behind at most one job of each other
 * owner, however many those have queued. Memory of this node, so that an insert costs no statement; {@link
 * CommandStore#followTurns} corrects it by the database. What is forgotten or not known of another node's inserts costs
 * fairness between owners for as long as those jobs are queued, and nothing else. Thread-safe.
 */
final class FairQueue {
    private static final int MAX_OWNERS = 10_000;

    private final Map<String, OfLane> lanes = new HashMap<>();

    private static final class OfLane {
        long served;
        final Map<Integer, Long> last = new HashMap<>();
    }

    private OfLane lane(String name) {
        return lanes.computeIfAbsent(name, n -> new OfLane());
    }

    /** The turn of an owner's next start. One that is not inserted after all leaves a gap in the owner's turns. */
    synchronized long next(String lane, int owner) {
        OfLane of = lane(lane);
        if (of.last.size() >= MAX_OWNERS) {
            of.last.values().removeIf(turn -> turn <= of.served); // holds no more than served does
        }
        return of.last.merge(owner, of.served + 1, (last, next) -> Math.max(last + 1, next));
    }

    /** A command of this turn was claimed, here or elsewhere. */
    synchronized void served(String lane, long turn) {
        OfLane of = lane(lane);
        of.served = Math.max(of.served, turn);
    }

    /** An owner has this turn in the queue. */
    synchronized void queued(String lane, int owner, long turn) {
        lane(lane).last.merge(owner, turn, Math::max);
    }
}
