package org.gelato.ce.core.command;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/** SQL of the batch systems' lanes and their turns. All methods work within the caller's transaction. */
final class LaneStore {
    static final String QUEUE_LRMS = "SELECT lrms FROM queue WHERE id = :queue";
    static final String ALL_LRMS = "SELECT DISTINCT lrms FROM queue";
    // Three reads of one index entry each.
    static final String SERVED = """
            SELECT GREATEST(COALESCE((SELECT MAX(turn) FROM command WHERE state = 2 AND lane = :lane), 0),
              COALESCE((SELECT MAX(turn) FROM command WHERE state = 3 AND lane = :lane), 0),
              COALESCE((SELECT MAX(turn) FROM command WHERE state = 4 AND lane = :lane), 0))
            """;
    static final String LAST_TURNS = """
            SELECT j.owner_id, MAX(c.turn) AS turn FROM command c JOIN job j ON j.id = c.job_id
            WHERE c.state = 1 AND c.lane = :lane GROUP BY j.owner_id
            """;
    static final String WAITING_IN_LRMS =
            "SELECT COUNT(*) FROM job j JOIN queue q ON q.id = j.queue_id" + " WHERE q.lrms = :lrms AND j.state = 2";

    private final FairQueue turns = new FairQueue();
    private final Map<Integer, String> handOver = new ConcurrentHashMap<>();

    private record Last(int owner, long turn) {}

    FairQueue turns() {
        return turns;
    }

    /** The lane of starts into a queue; rows of queues never change, so each is read once. */
    String handOver(Handle h, int queue) {
        String known = handOver.get(queue);
        if (known != null) {
            return known;
        }
        String lane = Lane.handOver(h.createQuery(QUEUE_LRMS)
                .bind("queue", queue)
                .mapTo(String.class)
                .one());
        handOver.put(queue, lane);
        return lane;
    }

    /** Learns from the database how far a batch system's turns have come, on whatever node. */
    void followTurns(Handle h, String lrms) {
        String lane = Lane.handOver(lrms);
        turns.served(
                lane, h.createQuery(SERVED).bind("lane", lane).mapTo(Long.class).one());
    }

    /** Learns which turns owners have in the queue, after a start; reads all of them. */
    void recallTurns(Handle h, String lrms) {
        String lane = Lane.handOver(lrms);
        h.createQuery(LAST_TURNS)
                .bind("lane", lane)
                .map((r, context) -> new Last(r.getInt("owner_id"), r.getLong("turn")))
                .forEach(d -> turns.queued(lane, d.owner(), d.turn()));
    }

    /** Every batch system that has or had a queue here. */
    Set<String> everyLrms(Handle h) {
        return new HashSet<>(h.createQuery(ALL_LRMS).mapTo(String.class).list());
    }

    /** Jobs that wait in a batch system for their turn to run. */
    int waitingIn(Handle h, String lrms) {
        return h.createQuery(WAITING_IN_LRMS)
                .bind("lrms", lrms)
                .mapTo(Integer.class)
                .one();
    }
}
