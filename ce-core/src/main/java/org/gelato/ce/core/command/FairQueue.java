package org.gelato.ce.core.command;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Virtual-time fair queueing between owners. A start gets the turn {@code max(turn served last, owner's last turn) + 1}
 * when it is inserted, and claims go by turn; so the first of an owner's jobs is behind at most one job of each other
 * owner, however many those have queued. Where VOs have shares, it is not 1 that is added but how many owners of its VO have
 * starts queued: a VO gets one start a turn, and its owners take turns in that. Turns are not given anew, so n owners who come one after another,
 * each with many starts, have up to 1 + ln n in the beginning. Memory of this node, so that an insert costs no statement;
 * {@link CommandStore#followTurns} corrects it by the database. What is forgotten or not known of another node's inserts costs
 * fairness between owners for as long as those jobs are queued, and nothing else. Thread-safe.
 */
final class FairQueue {
    private static final int MAX_OWNERS = 10_000;

    private final Map<String, OfLane> lanes = new HashMap<>();

    /** @param share whose share it is a part of; empty for none */
    private record Place(long turn, String share) {}

    private static final class OfLane {
        long served;
        boolean known;
        final Map<Integer, Place> last = new HashMap<>();
        /** Owners of each share that have starts queued, as counted at {@link #countedAt}, and those that came since. */
        final Map<String, Integer> active = new HashMap<>();

        long countedAt = -1;

        boolean isActive(Place place) {
            return place != null && place.turn() > served;
        }

        void put(int owner, Place place) {
            boolean comes = !isActive(last.put(owner, place)) && isActive(place);
            if (comes && !place.share().isEmpty()) {
                active.merge(place.share(), 1, Integer::sum);
            }
        }

        int step(String share, boolean comes) {
            if (share.isEmpty()) {
                return 1;
            }
            if (countedAt != served) {
                active.clear();
                last.values().stream().filter(this::isActive).forEach(p -> active.merge(p.share(), 1, Integer::sum));
                countedAt = served;
            }
            return active.getOrDefault(share, 0) + (comes ? 1 : 0);
        }
    }

    private OfLane lane(String name) {
        return lanes.computeIfAbsent(name, n -> new OfLane());
    }

    /** The share of an owner who was here lately; null for another. */
    synchronized String share(String lane, int owner) {
        Place place = lane(lane).last.get(owner);
        return place == null ? null : place.share();
    }

    /**
     * The turn of an owner's next start. One that is not inserted after all leaves a gap in the owner's turns.
     *
     * @param share of the owner's VO; empty where VOs have none
     */
    synchronized long next(String lane, int owner, String share) {
        OfLane of = lane(lane);
        if (of.last.size() >= MAX_OWNERS) {
            of.last.values().removeIf(place -> place.turn() <= of.served); // holds no more than served does
        }
        Place place = of.last.get(owner);
        int step = of.step(share, !of.isActive(place));
        long turn = (of.isActive(place) ? place.turn() : of.served) + step;
        of.put(owner, new Place(turn, share));
        return turn;
    }

    /** The last turn that was served. */
    synchronized long served(String lane) {
        return lane(lane).served;
    }

    /** A command of this turn was claimed, here or elsewhere. */
    synchronized void served(String lane, long turn) {
        OfLane of = lane(lane);
        of.served = Math.max(of.served, turn);
    }

    /** Whether the turns of owners in this lane were read since it was forgotten. */
    synchronized boolean knows(String lane) {
        return lanes.containsKey(lane) && lanes.get(lane).known;
    }

    /** The turns of owners in this lane were read. */
    synchronized void learned(String lane) {
        lane(lane).known = true;
    }

    /** Forgets lanes in which nothing stands. */
    synchronized void forget(Predicate<String> empty) {
        lanes.keySet().removeIf(empty);
    }

    /** An owner has this turn in the queue. */
    synchronized void queued(String lane, int owner, String share, long turn) {
        OfLane of = lane(lane);
        Place place = of.last.get(owner);
        if (place == null || place.turn() < turn) {
            of.put(owner, new Place(turn, share));
        }
    }
}
