package org.gelato.ce.core.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.ValueRows;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * SQL of what became of commands: ended, put back, handed over, purged. All methods work within the caller's transaction,
 * and may be repeated by it: the response to a commit may be lost.
 */
final class OutcomeStore {
    /** Ends commands that succeeded and lets the next of their jobs run, unless one is under way: outcomes may come twice. */
    // Derived tables are materialised, so reading the table that is updated is allowed on both servers. MariaDB locks
    // what they read.
    static final String FINISH_AND_PROMOTE = StateSql.of("""
            UPDATE (SELECT MIN(id) AS id, {command.QUEUED} AS state FROM command FORCE INDEX (command_of_job)
              WHERE job_id IN (<jobs>) AND state IN {command.OPEN} AND id NOT IN (<ids>) GROUP BY job_id HAVING MAX(state) = {command.CREATED}
              UNION ALL SELECT id, {command.SUCCESSFULL} FROM command FORCE INDEX (PRIMARY) WHERE id IN (<ids>) AND state + 0 IN {command.OPEN}) n
              STRAIGHT_JOIN command c ON c.id = n.id
            SET c.state = n.state, c.claim_expires_at = NULL,
              c.run_after = CASE n.state WHEN {command.QUEUED} THEN NULL ELSE c.run_after END,
              c.failure_reason = CASE n.state WHEN {command.SUCCESSFULL} THEN NULL ELSE c.failure_reason END,
              c.completed_at = CASE n.state WHEN {command.SUCCESSFULL} THEN :now ELSE c.completed_at END
            """);

    /** Claims as they are. */
    // "state + 0": an index on the state would lock the commands of others on the way.
    static final String STANDING =
            StateSql.of("SELECT id, claim_number, job_id FROM command FORCE INDEX (PRIMARY) WHERE id IN (<ids>)"
                    + " AND state + 0 = {command.PROCESSING} ORDER BY id FOR UPDATE");

    static final String FAIL = StateSql.of("""
            UPDATE (<rows>) v STRAIGHT_JOIN command c ON c.id = v.id
            SET c.state = {command.ERROR}, c.failure_reason = v.reason, c.completed_at = v.at, c.claim_expires_at = NULL
            WHERE c.state = {command.PROCESSING}
            """);

    static final String RETRY = StateSql.of("""
            UPDATE (<rows>) v STRAIGHT_JOIN command c ON c.id = v.id
            SET c.state = v.state, c.lane = v.lane, c.turn = COALESCE(v.turn, c.turn), c.run_after = v.at, c.tries = c.tries - v.uncounted, c.failure_reason = v.reason,
              c.node_id = NULL, c.claim_expires_at = NULL
            WHERE c.state = {command.PROCESSING} AND c.claim_number = v.claim AND c.job_id = v.job
            """);

    /** Values of {@link #FAIL}. */
    static final List<String> ENDS = List.of("id", "reason", "at");

    /** Values of {@link #RETRY}. */
    static final List<String> RETRIES =
            List.of("id", "reason", "at", "state", "uncounted", "claim", "job", "lane", "turn");

    static final String NOT_HANDED_OVER = StateSql.of("""
            UPDATE (<rows>) v STRAIGHT_JOIN command c ON c.id = v.id STRAIGHT_JOIN job j ON j.id = c.job_id
            SET j.hand_over = 0, j.attempt = j.attempt - v.unsent
            WHERE c.state = {command.PROCESSING} AND c.claim_number = v.claim AND c.job_id = v.job AND j.hand_over = 1
            """);

    /** Values of {@link #NOT_HANDED_OVER}. */
    static final List<String> CLAIMS = List.of("id", "claim", "job", "unsent");

    static final String HANDED_OVER = """
            UPDATE (<rows>) v STRAIGHT_JOIN job j ON j.id = v.id
            SET j.hand_over = 2, j.lrms_id = v.lrms_id, j.handed_over_at = v.at
            """;

    static final List<String> HANDED_OVER_ROWS = List.of("id", "lrms_id", "at");

    static final String DELETE_JOBS = "DELETE FROM job WHERE id IN (<ids>)";

    /** Purges what may be purged without reading it first. */
    // "state + 0": an index on the state would lock the jobs of others on the way.
    static final String DELETE_ENDED = StateSql.of("DELETE FROM job WHERE id IN (<ids>) AND state + 0 IN {PURGEABLE}");

    private final LaneStore lanes;

    OutcomeStore(LaneStore lanes) {
        this.lanes = lanes;
    }

    /** Those of these commands that are still claimed as they were; no statement for none. Locks them. */
    Set<Long> standing(Handle h, Collection<ClaimedCommand> claims) {
        Map<Long, ClaimedCommand> byId = new TreeMap<>();
        claims.forEach(c -> byId.put(c.id(), c));
        return byId.isEmpty()
                ? Set.of()
                : h.createQuery(STANDING)
                        .bindList("ids", InList.of(byId.keySet()))
                        .map((r, context) -> {
                            ClaimedCommand c = byId.get(r.getLong("id"));
                            boolean same = c.claim() == r.getInt("claim_number")
                                    && c.job().id() == r.getInt("job_id");
                            return same ? c.id() : 0L;
                        })
                        .set();
    }

    /**
     * Ends commands: those that succeeded, and lets the next command of each job run.
     *
     * @param done that succeeded
     * @param failed with their reasons
     * @param jobIds whose next command may run
     * @return whether there was a next command
     */
    boolean finish(
            Handle h,
            Collection<ClaimedCommand> done,
            Map<ClaimedCommand, String> failed,
            Collection<Integer> jobIds,
            Instant now) {
        List<Object[]> ends = new ArrayList<>();
        failed.forEach((c, reason) -> ends.add(new Object[] {c.id(), JobStore.cut(reason, 2048), now}));
        ValueRows.update(h, FAIL, ENDS, ends);
        // No id is 0: an empty list is not SQL.
        List<Long> ids = done.isEmpty()
                ? List.of(0L)
                : done.stream().map(ClaimedCommand::id).sorted().toList();
        return !jobIds.isEmpty()
                && h.createUpdate(FINISH_AND_PROMOTE)
                                .bindList("jobs", InList.of(jobIds))
                                .bindList("ids", InList.of(ids))
                                .bind("now", now)
                                .execute()
                        > done.size();
    }

    /**
     * Puts commands back, to be claimed again at once or later. One that was claimed anew since (the claim had expired, or
     * this outcome was committed already and only the response was lost) is left to its new claim. The
     * job counts, too: a server that died may give an id again that was never committed.
     */
    void retry(Handle h, List<CommandOutcome.Later> later, Instant now) {
        List<Object[]> rows = new ArrayList<>();
        List<Object[]> absent = new ArrayList<>();
        for (CommandOutcome.Later l : later) {
            ClaimedCommand c = l.command();
            boolean atOnce = l.delay().isZero();
            String lane = l.lane() == null ? again(c) : l.lane();
            rows.add(new Object[] {
                c.id(),
                JobStore.cut(l.reason(), 2048),
                atOnce ? null : now.plus(l.delay()),
                (atOnce ? CommandState.QUEUED : CommandState.CREATED).code(),
                l.counted() ? 0 : 1,
                c.claim(),
                c.job().id(),
                lane,
                turn(h, c, lane)
            });
            if (l.surelyAbsent() && c.kind() == CommandKind.JOB_START) {
                // Only a hand-over that may have happened is one: the next gets its number.
                absent.add(new Object[] {c.id(), c.claim(), c.job().id(), c.lookUpFirst() ? 0 : 1});
            }
        }
        ValueRows.update(h, NOT_HANDED_OVER, CLAIMS, absent);
        ValueRows.update(h, RETRY, RETRIES, rows);
    }

    /** What waited for the limit of a route does so on: its place was not used. */
    private static String again(ClaimedCommand c) {
        return PauseScope.parse(c.lane()).filter(PauseScope::isOfRoute).isPresent() ? c.lane() : Lane.of(c);
    }

    /** In another lane than before: what is set aside stands behind what was so before it, what comes back is the next. Null for as before. */
    private Long turn(Handle h, ClaimedCommand c, String lane) {
        if (lane.equals(c.lane())) {
            return null;
        }
        return PauseScope.isOne(lane)
                ? lanes.next(h, lane, c.job().registration().ownerId())
                : lanes.turns().served(lane);
    }

    /** Stores the LRMS ids of jobs the batch system has taken. */
    void handedOver(Handle h, Collection<CommandOutcome.HandedOver> jobs, Instant now) {
        List<Object[]> rows = new ArrayList<>();
        for (CommandOutcome.HandedOver j : jobs) {
            rows.add(new Object[] {j.command().job().id(), j.lrmsId(), now});
        }
        ValueRows.update(h, HANDED_OVER, HANDED_OVER_ROWS, rows);
    }

    /** Removes jobs with everything that hangs on them. */
    void deleteJobs(Handle h, Collection<Integer> jobIds) {
        if (!jobIds.isEmpty()) {
            h.createUpdate(DELETE_JOBS).bindList("ids", InList.of(jobIds)).execute();
        }
    }

    /** Removes those of these jobs that may be purged; returns how many. */
    int deleteEnded(Handle h, Collection<Integer> jobIds) {
        return jobIds.isEmpty()
                ? 0
                : h.createUpdate(DELETE_ENDED)
                        .bindList("ids", InList.of(jobIds))
                        .execute();
    }
}
