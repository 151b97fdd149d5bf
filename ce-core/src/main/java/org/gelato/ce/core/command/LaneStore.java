package org.gelato.ce.core.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/** SQL of the batch systems' lanes and their turns. All methods work within the caller's transaction. */
final class LaneStore {
    static final String QUEUE_LRMS = "SELECT lrms FROM queue WHERE id = :queue";
    static final String ALL_LRMS = "SELECT DISTINCT lrms FROM queue";
    // Three reads of one index entry each.
    static final String SERVED = StateSql.of("""
            SELECT GREATEST(COALESCE((SELECT MAX(turn) FROM command WHERE state = {command.PROCESSING} AND lane = :lane), 0),
              COALESCE((SELECT MAX(turn) FROM command WHERE state = {command.SUCCESSFULL} AND lane = :lane), 0),
              COALESCE((SELECT MAX(turn) FROM command WHERE state = {command.ERROR} AND lane = :lane), 0))
            """);
    static final String LAST_TURNS = StateSql.of("""
            SELECT j.owner_id, MAX(o.vo_key) AS vo, MAX(c.turn) AS turn FROM command c JOIN job j ON j.id = c.job_id
            JOIN owner o ON o.id = j.owner_id
            WHERE c.state = {command.QUEUED} AND c.lane = :lane GROUP BY j.owner_id
            """);
    static final String VO = "SELECT vo_key FROM owner WHERE id = :owner";
    // One index entry each, and its row.
    static final String NEXT_PAUSED = StateSql.of("""
            SELECT lane, failure_reason FROM command FORCE INDEX (command_due)
            WHERE state = {command.QUEUED} AND lane > :after AND lane < :end ORDER BY lane LIMIT 1
            """);
    private static final String NAMES = "SELECT (SELECT name FROM account WHERE id = :account) AS account,"
            + " (SELECT name FROM queue WHERE id = :queue) AS queue";
    private static final int MAX_PAUSED = 1000;

    private final FairQueue turns = new FairQueue();
    private final Map<Integer, String> handOver = new ConcurrentHashMap<>();

    /** Whether VOs take turns, and owners in those of their VO. */
    private final boolean byVo;

    private record Last(int owner, String vo, long turn) {}

    LaneStore(boolean byVo) {
        this.byVo = byVo;
    }

    FairQueue turns() {
        return turns;
    }

    /**
     * The turn of an owner's next start.
     *
     * @param owner row of the owner; 0 for nobody
     */
    long next(Handle h, String lane, int owner) {
        if (PauseScope.isOne(lane)) {
            learn(h, lane);
        }
        String share = byVo ? turns.share(lane, owner) : "";
        if (share == null) {
            share = h.createQuery(VO)
                    .bind("owner", owner)
                    .mapTo(String.class)
                    .findOne()
                    .map(LaneStore::share)
                    .orElse("");
        }
        return turns.next(lane, owner, share);
    }

    /** Users of no VO have one together. */
    private static String share(String vo) {
        return vo.isEmpty() ? "-" : vo;
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

    /** Learns from the database how far a lane's turns have come, on whatever node. */
    void followTurns(Handle h, String lane) {
        turns.served(
                lane, h.createQuery(SERVED).bind("lane", lane).mapTo(Long.class).one());
    }

    /** Learns which turns owners have in the queue, after a start; reads all of them. */
    void recallTurns(Handle h, String lane) {
        h.createQuery(LAST_TURNS)
                .bind("lane", lane)
                .map((r, context) -> new Last(r.getInt("owner_id"), r.getString("vo"), r.getLong("turn")))
                .forEach(d -> turns.queued(lane, d.owner(), byVo ? share(d.vo()) : "", d.turn()));
    }

    /** What was set aside in a lane by another process, or by this one before the lane was forgotten, has turns there. */
    private void learn(Handle h, String lane) {
        if (!turns.knows(lane)) {
            followTurns(h, lane);
            recallTurns(h, lane);
            turns.learned(lane);
        }
    }

    /** Every batch system that has or had a queue here. */
    Set<String> everyLrms(Handle h) {
        return new HashSet<>(h.createQuery(ALL_LRMS).mapTo(String.class).list());
    }

    /**
     * A lane in which commands wait for the end of a pause.
     *
     * @param account name of the account it is for; null for any
     * @param queue name of the queue it is for; null for any
     * @param reason of one of the commands; null for none
     */
    record PausedLane(String name, String account, String queue, String reason) {}

    /** The lanes of pauses in which commands wait, up to a thousand; usually one read of an index. */
    List<PausedLane> paused(Handle h) {
        List<PausedLane> lanes = new ArrayList<>();
        String after = PauseScope.PREFIX;
        String end = after.substring(0, after.length() - 1) + (char) (after.charAt(after.length() - 1) + 1);
        while (lanes.size() < MAX_PAUSED) {
            Optional<PausedLane> next = h.createQuery(NEXT_PAUSED)
                    .bind("after", after)
                    .bind("end", end)
                    .map((r, context) -> new PausedLane(r.getString("lane"), null, null, r.getString("failure_reason")))
                    .findFirst();
            if (next.isEmpty()) {
                break;
            }
            after = next.get().name();
            learn(h, after);
            followTurns(h, after);
            lanes.add(named(h, next.get()));
        }
        if (lanes.size() < MAX_PAUSED) {
            Set<String> found = lanes.stream().map(PausedLane::name).collect(Collectors.toSet());
            turns.forget(lane -> PauseScope.isOne(lane) && !found.contains(lane));
        }
        return lanes;
    }

    private static PausedLane named(Handle h, PausedLane lane) {
        PauseScope scope = PauseScope.parse(lane.name()).orElse(new PauseScope(lane.name(), 0, 0));
        return h.createQuery(NAMES)
                .bind("account", scope.account())
                .bind("queue", scope.queue())
                .map((r, context) ->
                        new PausedLane(lane.name(), r.getString("account"), r.getString("queue"), lane.reason()))
                .one();
    }
}
