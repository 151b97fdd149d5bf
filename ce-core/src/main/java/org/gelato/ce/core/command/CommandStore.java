package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * SQL of the command queue. All methods work within the caller's transaction.
 *
 * <p>Order: commands of one job run one at a time and in order. A command is QUEUED (may be claimed) when it is the first
 * of its job, else CREATED; the transaction that completes a command promotes the next of its job. Inserting and
 * completing both hold the lock of the job's row, so neither overlooks the other. Among jobs: by lane, then by turn
 * ({@link Turns}). A command that is put off is CREATED with its time in run_after, so that however many wait, the claim
 * does not read them; one with run_after is always the first of its job.
 */
public final class CommandStore {
    private static final int MAX_CLAIM = 100;
    // Reads command_due forward, without a sort: a sort would lock every due row before LIMIT is applied, and claimers
    // would wait for each other. What was put off is CREATED, so it is not among the rows read.
    static final String DUE = """
            SELECT id, lane, turn FROM command FORCE INDEX (command_due)
            WHERE state = 1 AND lane IN (<lanes>)
            ORDER BY lane, turn, id LIMIT :limit FOR UPDATE SKIP LOCKED
            """;
    static final String CLAIM = """
            UPDATE command SET state = 2, node_id = :node, claim_expires_at = :expires, tries = tries + 1,
              started_at = COALESCE(started_at, :now)
            WHERE id IN (<ids>)
            """;
    static final String LOAD = "SELECT c.id AS command_id, c.kind, c.tries, a.name AS account, q.lrms,"
            + " q.name AS queue, s.dn, o.fqan, o.vo, p.path AS proxy_file, j.ice_id IS NOT NULL AS from_ice, CASE WHEN c.kind = 1 THEN t.jdl END AS jdl, "
            + JobStore.COLUMNS
            + """
            FROM command c JOIN job j ON j.id = c.job_id JOIN job_text t ON t.job_id = j.id
              JOIN account a ON a.id = j.account_id JOIN queue q ON q.id = j.queue_id
              JOIN owner o ON o.id = j.owner_id JOIN subject s ON s.id = o.subject_id
              LEFT JOIN proxy_file p ON p.delegation_id = j.delegation_id
            WHERE c.id IN (<ids>) ORDER BY c.turn, c.id
            """;
    static final String BEGIN_HAND_OVER =
            "UPDATE job SET hand_over = 1, attempt = attempt + 1 WHERE id IN (<ids>) AND state = 1 AND hand_over = 0";
    static final String ACTIVE = "SELECT DISTINCT job_id FROM command WHERE job_id IN (<ids>) AND state IN (0, 1, 2)";
    static final String INSERT = """
            INSERT INTO command (job_id, kind, state, lane, turn, description, failure_reason, created_at, started_at,
              completed_at)
            VALUES (:job, :kind, :state, :lane, :turn, :description, :failure, :now, :done, :done)
            """;
    static final String FINISH = """
            UPDATE command SET state = :state, failure_reason = :reason, completed_at = :now, claim_expires_at = NULL
            WHERE id = :id
            """;
    static final String RETRY = """
            UPDATE command SET state = :state, run_after = :runAfter, tries = tries - :uncounted,
              failure_reason = :reason, node_id = NULL, claim_expires_at = NULL
            WHERE id = :id
            """;
    static final String DUE_AGAIN = """
            SELECT id FROM command FORCE INDEX (command_later)
            WHERE run_after <= :now ORDER BY run_after, id LIMIT 1000 FOR UPDATE SKIP LOCKED
            """;
    static final String QUEUE_AGAIN =
            "UPDATE command SET state = 1, run_after = NULL WHERE id IN (<ids>) AND state = 0";
    static final String NOT_HANDED_OVER = "UPDATE job SET hand_over = 0 WHERE id IN (<ids>) AND hand_over = 1";
    static final String HANDED_OVER =
            "UPDATE job SET hand_over = 2, lrms_id = :lrmsId, handed_over_at = :now WHERE id = :id";
    // Derived tables are materialised, so reading the table that is updated is allowed on both servers.
    static final String PROMOTE = """
            UPDATE command c JOIN (SELECT MIN(id) AS id FROM command WHERE job_id IN (<ids>) AND state = 0
              GROUP BY job_id) n ON n.id = c.id
            SET c.state = 1, c.run_after = NULL
            """;
    static final String RENEW_CLAIMS =
            "UPDATE command SET claim_expires_at = :expires WHERE state = 2 AND node_id = :node";
    static final String EXPIRE = """
            UPDATE command SET state = 1, node_id = NULL, claim_expires_at = NULL
            WHERE state = 2 AND claim_expires_at < :now
            """;
    static final String RELEASE_NODES = """
            UPDATE command SET state = 1, node_id = NULL, claim_expires_at = NULL
            WHERE state = 2 AND node_id IN (<nodes>)
            """;
    static final String DELETE_JOBS = "DELETE FROM job WHERE id IN (<ids>)";
    static final String COUNT_DUE = "SELECT COUNT(*) FROM command WHERE state IN (0, 1)";

    /**
     * A command to insert.
     *
     * @param job row of the job, locked or new in this transaction
     * @param state SUCCESSFULL or ERROR for one that is done already; otherwise QUEUED, which becomes CREATED behind
     *     another
     * @param failureReason null but for ERROR
     * @param owner of the job, for a start; 0 otherwise
     * @param queue row of the job's queue, for a start; 0 otherwise
     */
    public record NewCommand(
            int job,
            CommandKind kind,
            CommandState state,
            String description,
            String failureReason,
            int owner,
            int queue) {
        /** One that is no start. */
        public NewCommand(int job, CommandKind kind, CommandState state, String description, String failureReason) {
            this(job, kind, state, description, failureReason, 0, 0);
        }

        /** One that is no start and has not failed. */
        public NewCommand(int job, CommandKind kind, CommandState state, String description) {
            this(job, kind, state, description, null);
        }

        /** The start of a job, in its owner's turn. */
        public static NewCommand start(int job, int owner, int queue) {
            return new NewCommand(job, CommandKind.JOB_START, CommandState.QUEUED, null, null, owner, queue);
        }
    }

    /** A due command. */
    private record Due(long id, String lane, long turn) {}

    private final JobNumbers numbers;
    private final LaneStore lanes = new LaneStore();

    public CommandStore(JobNumbers numbers) {
        this.numbers = numbers;
    }

    LaneStore lanes() {
        return lanes;
    }

    /** Those of the jobs that have a command which is not done. */
    public Set<Integer> busy(Handle h, Collection<Integer> jobIds) {
        return jobIds.isEmpty()
                ? Set.of()
                : new HashSet<>(h.createQuery(ACTIVE)
                        .bindList("ids", List.copyOf(jobIds))
                        .mapTo(Integer.class)
                        .list());
    }

    /**
     * Inserts commands of locked or new jobs.
     *
     * @param busy jobs with a command that is not done, as of {@link #busy}: further commands wait for it
     */
    public void insert(Handle h, List<NewCommand> commands, Set<Integer> busy, Instant now) {
        if (commands.isEmpty()) {
            return;
        }
        PreparedBatch batch = h.prepareBatch(INSERT);
        for (NewCommand c : commands) {
            boolean done = c.state() == CommandState.SUCCESSFULL || c.state() == CommandState.ERROR;
            boolean waits = !done && busy.contains(c.job());
            boolean starts = c.kind() == CommandKind.JOB_START;
            String lane = starts ? lanes.handOver(h, c.queue()) : Lane.of(c.kind());
            batch.bind("job", c.job())
                    .bind("kind", c.kind().code())
                    .bind("state", (waits ? CommandState.CREATED : c.state()).code())
                    .bind("lane", lane)
                    .bind("turn", starts ? lanes.turns().next(lane, c.owner()) : 0)
                    .bind("now", now)
                    .bind("description", c.description())
                    .bind("failure", JobStore.cut(c.failureReason(), 2048))
                    .bind("done", done ? now : null)
                    .add();
        }
        batch.execute();
    }

    /**
     * Claims due commands and marks the hand-over of those that start a job, so that a crash from here on is known to
     * have left the batch system in doubt.
     *
     * @param room how many of each lane, of at least one; rows beyond it are locked until the commit and left alone
     */
    List<ClaimedCommand> claim(Handle h, int node, Map<String, Integer> room, Instant now, Duration claim) {
        int most = Math.min(MAX_CLAIM, Collections.max(room.values()));
        Map<String, Integer> left = new HashMap<>(room);
        List<Due> due = h
                .createQuery(DUE)
                .bindList("lanes", List.copyOf(room.keySet()))
                .bind("limit", most)
                .map((r, context) -> new Due(r.getLong("id"), r.getString("lane"), r.getLong("turn")))
                .stream()
                .filter(d -> left.merge(d.lane(), -1, Integer::sum) >= 0)
                .toList();
        if (due.isEmpty()) {
            return List.of();
        }
        List<Long> ids = due.stream().map(Due::id).toList();
        due.forEach(d -> lanes.turns().served(d.lane(), d.turn()));
        h.createUpdate(CLAIM)
                .bind("node", node)
                .bind("expires", now.plus(claim))
                .bind("now", now)
                .bindList("ids", ids)
                .execute();
        List<ClaimedCommand> claimed =
                h.createQuery(LOAD).bindList("ids", ids).map(this::claimed).list();
        List<Integer> starting = claimed.stream()
                .filter(c -> c.kind() == CommandKind.JOB_START)
                .map(c -> c.job().id())
                .toList();
        if (!starting.isEmpty()) {
            h.createUpdate(BEGIN_HAND_OVER).bindList("ids", starting).execute();
        }
        return claimed;
    }

    private ClaimedCommand claimed(ResultSet r, StatementContext context) throws SQLException {
        JobRow job = JobStore.ROW.map(r, context);
        String proxy = r.getString("proxy_file");
        return new ClaimedCommand(
                r.getLong("command_id"),
                CommandKind.ofCode(r.getInt("kind")),
                r.getInt("tries"),
                job,
                numbers.id(job.id()),
                job.handOver() == JobRow.HandOver.SUBMITTING,
                r.getString("account"),
                r.getString("lrms"),
                r.getString("queue"),
                r.getString("dn"),
                r.getString("fqan"),
                r.getString("vo"),
                proxy == null ? null : Path.of(proxy),
                r.getBoolean("from_ice"),
                r.getString("jdl"));
    }

    /** Ends commands in their final states. */
    void finish(Handle h, Map<ClaimedCommand, String> failureReasons, CommandState state, Instant now) {
        PreparedBatch batch = h.prepareBatch(FINISH);
        failureReasons.forEach((c, reason) -> batch.bind("id", c.id())
                .bind("state", state.code())
                .bind("reason", JobStore.cut(reason, 2048))
                .bind("now", now)
                .add());
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    /** Puts commands back, to be claimed again at once or later. */
    void retry(Handle h, List<CommandOutcome.Later> later, Instant now) {
        if (later.isEmpty()) {
            return;
        }
        PreparedBatch batch = h.prepareBatch(RETRY);
        for (CommandOutcome.Later l : later) {
            boolean atOnce = l.delay().isZero();
            batch.bind("id", l.command().id())
                    .bind("state", (atOnce ? CommandState.QUEUED : CommandState.CREATED).code())
                    .bind("runAfter", atOnce ? null : now.plus(l.delay()))
                    .bind("uncounted", l.counted() ? 0 : 1)
                    .bind("reason", JobStore.cut(l.reason(), 2048))
                    .add();
        }
        batch.execute();
        List<Integer> absent = later.stream()
                .filter(l -> l.surelyAbsent() && l.command().kind() == CommandKind.JOB_START)
                .map(l -> l.command().job().id())
                .toList();
        if (!absent.isEmpty()) {
            h.createUpdate(NOT_HANDED_OVER).bindList("ids", absent).execute();
        }
    }

    /** Stores the LRMS ids of jobs the batch system has taken. */
    void handedOver(Handle h, Collection<CommandOutcome.HandedOver> jobs, Instant now) {
        PreparedBatch batch = h.prepareBatch(HANDED_OVER);
        for (CommandOutcome.HandedOver j : jobs) {
            batch.bind("id", j.command().job().id())
                    .bind("lrmsId", j.lrmsId())
                    .bind("now", now)
                    .add();
        }
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    /** Queues what was put off and is due again, up to a thousand; answers how many. */
    int queueAgain(Handle h, Instant now) {
        List<Long> ids =
                h.createQuery(DUE_AGAIN).bind("now", now).mapTo(Long.class).list();
        return ids.isEmpty()
                ? 0
                : h.createUpdate(QUEUE_AGAIN).bindList("ids", ids).execute();
    }

    /** Lets the next command of each of these jobs run. */
    void promote(Handle h, Collection<Integer> jobIds) {
        if (!jobIds.isEmpty()) {
            h.createUpdate(PROMOTE).bindList("ids", List.copyOf(jobIds)).execute();
        }
    }

    /** Removes jobs with everything that hangs on them. */
    void deleteJobs(Handle h, Collection<Integer> jobIds) {
        if (!jobIds.isEmpty()) {
            h.createUpdate(DELETE_JOBS).bindList("ids", List.copyOf(jobIds)).execute();
        }
    }

    /** Keeps this node's claims alive. */
    int renewClaims(Handle h, int node, Instant expires) {
        return h.createUpdate(RENEW_CLAIMS)
                .bind("node", node)
                .bind("expires", expires)
                .execute();
    }

    /** Returns claims whose node did not renew them; answers how many. */
    int expireClaims(Handle h, Instant now) {
        return h.createUpdate(EXPIRE).bind("now", now).execute();
    }

    /** Returns all claims of nodes that are known to be dead; answers how many. */
    int releaseNodes(Handle h, Collection<Integer> nodes) {
        return nodes.isEmpty()
                ? 0
                : h.createUpdate(RELEASE_NODES)
                        .bindList("nodes", List.copyOf(nodes))
                        .execute();
    }

    /** Commands that can be claimed now or later. */
    public long countDue(Handle h) {
        return h.createQuery(COUNT_DUE).mapTo(Long.class).one();
    }
}
