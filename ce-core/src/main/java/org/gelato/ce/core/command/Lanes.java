package org.gelato.ce.core.command;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How many commands of each lane this node may claim. Half of what may be in flight is for hand-overs to each batch system,
 * as far as its {@link LrmsPace} goes; a quarter each for control and for purges: whatever of them hangs, the others have
 * their places. Starts for a batch system that is no longer configured are claimed too, to be refused. Thread-safe.
 */
final class Lanes {
    private final Map<String, LrmsPace> paces;
    private final Map<String, Integer> bounds = new HashMap<>();
    private final Map<String, Integer> inFlight = new HashMap<>();

    Lanes(Map<String, LrmsPace> paces, int maxInFlight) {
        this.paces = paces.entrySet().stream()
                .collect(Collectors.toMap(e -> Lane.handOver(e.getKey()), Map.Entry::getValue));
        int quarter = Math.max(1, maxInFlight / 4);
        this.paces.keySet().forEach(lane -> bounds.put(lane, 2 * quarter));
        List.of(Lane.CONTROL, Lane.PURGE, Lane.OTHER).forEach(lane -> bounds.put(lane, quarter));
    }

    /** Serves batch systems that have jobs here, whether configured or not. */
    synchronized void serve(Collection<String> lrms) {
        lrms.forEach(name -> bounds.putIfAbsent(Lane.handOver(name), bounds.get(Lane.OTHER)));
    }

    /** Lanes with room, and how much. */
    synchronized Map<String, Integer> room() {
        Map<String, Integer> room = new HashMap<>();
        bounds.forEach((lane, bound) -> {
            LrmsPace pace = paces.get(lane);
            int own = bound - inFlight.getOrDefault(lane, 0);
            int free = pace == null ? own : Math.min(own, pace.room());
            if (free > 0) {
                room.put(lane, free);
            }
        });
        return room;
    }

    /** Tells batch systems of which nothing was found though all lanes with room were read to their ends. */
    void looked(Map<String, Integer> room, List<ClaimedCommand> batch) {
        if (batch.isEmpty()) {
            Set<String> empty = room.keySet();
            paces.forEach((lane, pace) -> {
                if (empty.contains(lane)) {
                    pace.nothingWaits();
                }
            });
        }
    }

    synchronized void claimed(ClaimedCommand command) {
        inFlight.merge(Lane.of(command), 1, Integer::sum);
    }

    synchronized void completed(ClaimedCommand command) {
        inFlight.merge(Lane.of(command), -1, Integer::sum);
    }

    /** Claimed and not completed. */
    synchronized int inFlight() {
        return inFlight.values().stream().mapToInt(n -> n).sum();
    }
}
