package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
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
 * completing both hold the lock of the job's row, so neither overlooks the other.
 */
public final class CommandStore {
    // Reads command_due forward, without a sort: a sort would lock every due row before LIMIT is applied, and claimers
    // would wait for each other.
    static final String DUE = """
            SELECT id FROM command FORCE INDEX (command_due)
            WHERE state = 1 AND run_after <= :now
            ORDER BY priority, run_after, id LIMIT :limit FOR UPDATE SKIP LOCKED
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
            WHERE c.id IN (<ids>) ORDER BY c.id
            """;
    static final String BEGIN_HAND_OVER =
            "UPDATE job SET hand_over = 1, attempt = attempt + 1 WHERE id IN (<ids>) AND state = 1 AND hand_over = 0";
    static final String ACTIVE = "SELECT DISTINCT job_id FROM command WHERE job_id IN (<ids>) AND state IN (0, 1, 2)";
    static final String INSERT = """
            INSERT INTO command (job_id, kind, state, priority, run_after, description, failure_reason, created_at,
              started_at, completed_at)
            VALUES (:job, :kind, :state, :priority, :now, :description, :failure, :now, :done, :done)
            """;
    static final String FINISH = """
            UPDATE command SET state = :state, failure_reason = :reason, completed_at = :now, claim_expires_at = NULL
            WHERE id = :id
            """;
    static final String RETRY = """
            UPDATE command SET state = 1, run_after = :runAfter, failure_reason = :reason, node_id = NULL,
              claim_expires_at = NULL
            WHERE id = :id AND state = 2 AND tries = :tries
            """;
    static final String NOT_HANDED_OVER = """
            UPDATE job j JOIN command c ON c.job_id = j.id SET j.hand_over = 0
            WHERE c.id = :id AND c.state = 2 AND c.tries = :tries AND j.hand_over = 1
            """;
    static final String HANDED_OVER =
            "UPDATE job SET hand_over = 2, lrms_id = :lrmsId, handed_over_at = :now WHERE id = :id";
    // Derived tables are materialised, so reading the table that is updated is allowed on both servers.
    static final String PROMOTE = """
            UPDATE command c JOIN (SELECT MIN(id) AS id FROM command WHERE job_id IN (<ids>) AND state IN (0, 1, 2)
              GROUP BY job_id HAVING MAX(state) = 0) n ON n.id = c.id
            SET c.state = 1, c.run_after = GREATEST(c.run_after, :now)
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
    static final String CLAIMED_BY = "SELECT id FROM command WHERE state = 2 AND node_id = :node";
    static final String RELEASE = """
            UPDATE command SET state = 1, node_id = NULL, claim_expires_at = NULL
            WHERE id IN (<ids>) AND state = 2 AND node_id = :node
            """;
    static final String DELETE_JOBS = "DELETE FROM job WHERE id IN (<ids>)";
    static final String NEXT_DUE = "SELECT MIN(run_after) FROM command WHERE state = 1";
    static final String COUNT_DUE = "SELECT COUNT(*) FROM command WHERE state = 1";

    /**
     * A command to insert.
     *
     * @param job row of the job, locked or new in this transaction
     * @param state SUCCESSFULL or ERROR for one that is done already; otherwise QUEUED, which becomes CREATED behind
     *     another
     * @param failureReason null but for ERROR
     */
    public record NewCommand(int job, CommandKind kind, CommandState state, String description, String failureReason) {
        /** One that has not failed. */
        public NewCommand(int job, CommandKind kind, CommandState state, String description) {
            this(job, kind, state, description, null);
        }
    }

    private final JobNumbers numbers;

    public CommandStore(JobNumbers numbers) {
        this.numbers = numbers;
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
            batch.bind("job", c.job())
                    .bind("kind", c.kind().code())
                    .bind("state", (waits ? CommandState.CREATED : c.state()).code())
                    .bind("priority", c.kind().priority())
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
     */
    public List<ClaimedCommand> claim(Handle h, int node, int limit, Instant now, Duration claim) {
        List<Long> ids = h.createQuery(DUE)
                .bind("now", now)
                .bind("limit", limit)
                .mapTo(Long.class)
                .list();
        if (ids.isEmpty()) {
            return List.of();
        }
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

    /**
     * Puts commands back, to be claimed again later. One that was claimed anew since (the claim had expired, or this outcome
     * was committed already and only the answer was lost) is left to its new claim: tries tells claims apart.
     */
    void retry(Handle h, List<CommandOutcome.Later> later, Instant now) {
        if (later.isEmpty()) {
            return;
        }
        PreparedBatch absent = h.prepareBatch(NOT_HANDED_OVER);
        PreparedBatch batch = h.prepareBatch(RETRY);
        for (CommandOutcome.Later l : later) {
            if (l.surelyAbsent() && l.command().kind() == CommandKind.JOB_START) {
                absent.bind("id", l.command().id())
                        .bind("tries", l.command().tries())
                        .add();
            }
            batch.bind("id", l.command().id())
                    .bind("tries", l.command().tries())
                    .bind("runAfter", now.plus(l.delay()))
                    .bind("reason", JobStore.cut(l.reason(), 2048))
                    .add();
        }
        if (absent.size() > 0) {
            absent.execute();
        }
        batch.execute();
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

    /** Lets the next command of each of these jobs run, unless one is under way: outcomes may be committed twice. */
    void promote(Handle h, Collection<Integer> jobIds, Instant now) {
        if (!jobIds.isEmpty()) {
            h.createUpdate(PROMOTE)
                    .bindList("ids", List.copyOf(jobIds))
                    .bind("now", now)
                    .execute();
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

    /** Returns the claims of a node that are not among those it holds; answers how many. */
    int releaseUnheld(Handle h, int node, Set<Long> held) {
        List<Long> unheld = h.createQuery(CLAIMED_BY).bind("node", node).mapTo(Long.class).list().stream()
                .filter(id -> !held.contains(id))
                .toList();
        return unheld.isEmpty()
                ? 0
                : h.createUpdate(RELEASE)
                        .bindList("ids", unheld)
                        .bind("node", node)
                        .execute();
    }

    /** Commands that could be claimed now or later. */
    public long countDue(Handle h) {
        return h.createQuery(COUNT_DUE).mapTo(Long.class).one();
    }
}
