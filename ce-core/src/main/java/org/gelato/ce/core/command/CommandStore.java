package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * SQL of the command queue. All methods work within the caller's transaction.
 *
 * <p>Order: commands of one job run one at a time and in order. A command is QUEUED (may be claimed) when it is the first
 * of its job, else CREATED; the transaction that completes a command promotes the next of its job. Inserting and
 * completing both hold the lock of the job's row, so neither overlooks the other. Among jobs: by lane, then by turn
 * ({@link FairQueue}). A command that is put off is CREATED with its time in run_after, so that however many wait, the claim
 * does not read them; one with run_after is always the first of its job.
 */
public final class CommandStore {
    private static final int MAX_CLAIM = 400;
    // Reads command_due forward, without a sort: a sort would lock every due row before LIMIT is applied, and claimers
    // would wait for each other. What was put off is CREATED, so it is not among the rows read.
    static final String DUE = StateSql.of("""
            SELECT id, lane, turn FROM command FORCE INDEX (command_due)
            WHERE state = {command.QUEUED} AND lane IN (<lanes>)
            ORDER BY lane, turn, id LIMIT :limit FOR UPDATE SKIP LOCKED
            """);
    // A small table may be cheaper to scan than to seek in, and a scan waits for rows that others have locked: indexes
    // are named
    // here and where outcomes are stored, which lock jobs before commands.
    static final String CLAIM = StateSql.of("""
            UPDATE command FORCE INDEX (PRIMARY) SET state = {command.PROCESSING}, node_id = :node, claim_expires_at = :expires, tries = tries + 1,
              claim_number = :claim, started_at = COALESCE(started_at, :now)
            WHERE id IN (<ids>)
            """);
    static final String LOAD = "SELECT " + JobStore.COLUMNS
            + ", c.id AS command_id, c.kind, c.lane, c.tries, c.claim_number, a.name AS account, q.lrms,"
            + " q.name AS queue, s.dn, o.fqan, o.vo, p.path AS proxy_file,"
            + " d.expires_at AS proxy_end, j.ice_id IS NOT NULL AS from_ice, j.route_id, r.content AS route, t.language,"
            + " CASE WHEN c.kind = 1 AND LENGTH(t.jdl) <= " + LargeDescriptions.SMALL
            + " THEN t.jdl END AS jdl"
            + """
             FROM command c JOIN job j ON j.id = c.job_id JOIN job_text t ON t.job_id = j.id
              JOIN account a ON a.id = j.account_id JOIN queue q ON q.id = j.queue_id
              JOIN owner o ON o.id = j.owner_id JOIN subject s ON s.id = o.subject_id
              LEFT JOIN proxy_file p ON p.delegation_id = j.delegation_id LEFT JOIN delegation d ON d.id = j.delegation_id
              LEFT JOIN route r ON r.id = j.route_id
            WHERE c.id IN (<ids>) ORDER BY c.turn, c.id
            """;
    static final String BEGIN_HAND_OVER =
            StateSql.of("UPDATE job FORCE INDEX (PRIMARY) SET hand_over = 1, attempt = attempt + 1"
                    + " WHERE id IN (<ids>) AND state + 0 = {PENDING} AND hand_over = 0");
    static final String ACTIVE =
            StateSql.of("SELECT DISTINCT job_id FROM command WHERE job_id IN (<ids>) AND state IN {command.OPEN}");
    /** Of jobs whose last successful suspend or resume was a suspend. */
    static final String SUSPENDED = StateSql.of("""
            SELECT job_id FROM command WHERE job_id IN (<ids>) AND kind IN (4, 5) AND state + 0 = {command.SUCCESSFULL}
            GROUP BY job_id HAVING MAX(CASE kind WHEN 4 THEN id END) = MAX(id)
            """);

    static final String INSERT = """
            INSERT INTO command (job_id, kind, state, lane, turn, description, failure_reason, created_at, started_at,
              completed_at, tries, claim_number, node_id, claim_expires_at)
            VALUES (:job, :kind, :state, :lane, :turn, :description, :failure, :now, :started, :done, :tries, :claim,
              :node, :expires)
            """;
    /** What {@link #LOAD} reads of a command's job, with the lock that the command's insert needs. */
    // Scalar subqueries, as in JobStore.COLUMNS: nothing but the job's row is locked.
    static final String LOCK_TO_CLAIM = "SELECT " + JobStore.COLUMNS
            + ", 0 AS command_id, <kind> AS kind, NULL AS lane, 1 AS tries, 0 AS claim_number,"
            + " (SELECT a.name FROM account a WHERE a.id = j.account_id) AS account,"
            + " (SELECT q.lrms FROM queue q WHERE q.id = j.queue_id) AS lrms,"
            + " (SELECT q.name FROM queue q WHERE q.id = j.queue_id) AS queue,"
            + " (SELECT s.dn FROM owner o JOIN subject s ON s.id = o.subject_id WHERE o.id = j.owner_id) AS dn,"
            + " (SELECT o.fqan FROM owner o WHERE o.id = j.owner_id) AS fqan,"
            + " (SELECT o.vo FROM owner o WHERE o.id = j.owner_id) AS vo,"
            + " (SELECT p.path FROM proxy_file p WHERE p.delegation_id = j.delegation_id) AS proxy_file,"
            + " (SELECT d.expires_at FROM delegation d WHERE d.id = j.delegation_id) AS proxy_end,"
            + " j.ice_id IS NOT NULL AS from_ice,"
            + " j.route_id, (SELECT r.content FROM route r WHERE r.id = j.route_id) AS route,"
            + " (SELECT t.language FROM job_text t WHERE t.job_id = j.id) AS language,"
            + " CASE WHEN <kind> = 1 THEN (SELECT t.jdl FROM job_text t WHERE t.job_id = j.id"
            + " AND LENGTH(t.jdl) <= " + LargeDescriptions.SMALL + ") END AS jdl"
            + " FROM job j WHERE j.id IN (<ids>) ORDER BY j.id FOR UPDATE";

    static final String DUE_AGAIN = """
            SELECT id FROM command FORCE INDEX (command_later)
            WHERE run_after <= :now ORDER BY run_after, id LIMIT 1000 FOR UPDATE SKIP LOCKED
            """;
    static final String QUEUE_AGAIN = StateSql.of(
            "UPDATE command SET state = {command.QUEUED}, run_after = NULL WHERE id IN (<ids>) AND state = {command.CREATED}");

    /** What was put off is not put off for longer by a clock that was set back; a start that its description puts off is put off anew. */
    static final String CLOCK_SET_BACK = """
            UPDATE command FORCE INDEX (command_later)
            SET run_after = GREATEST(:now, run_after - INTERVAL :back SECOND)
            WHERE run_after > :now AND run_after <= :latest
            """;

    static final String RENEW_CLAIMS = StateSql.of(
            "UPDATE command SET claim_expires_at = :expires WHERE state = {command.PROCESSING} AND node_id = :node");
    static final String EXPIRE = StateSql.of("""
            UPDATE command SET state = {command.QUEUED}, node_id = NULL, claim_expires_at = NULL
            WHERE state = {command.PROCESSING} AND claim_expires_at < :now
            """);
    // What another session holds is passed over.
    static final String FREE_CLAIMS = StateSql.of(
            "SELECT id FROM command WHERE state = {command.PROCESSING} AND node_id = :node FOR UPDATE SKIP LOCKED");
    static final String FREE_EXPIRED = StateSql.of(
            "SELECT id FROM command WHERE state = {command.PROCESSING} AND claim_expires_at < :now FOR UPDATE SKIP LOCKED");
    static final String RENEW_ALONE = "UPDATE command SET claim_expires_at = :expires WHERE id IN (<ids>)";
    static final String EXPIRE_ALONE = StateSql.of("UPDATE command SET state = {command.QUEUED}, node_id = NULL,"
            + " claim_expires_at = NULL WHERE id IN (<ids>)");
    static final String RELEASE_NODES = StateSql.of("""
            UPDATE command SET state = {command.QUEUED}, node_id = NULL, claim_expires_at = NULL
            WHERE state = {command.PROCESSING} AND node_id IN (<nodes>)
            """);

    // The index alone serves it.
    static final String WAITING_BY_LANE =
            StateSql.of("SELECT lane, COUNT(*) AS commands, MIN(id) AS oldest FROM command"
                    + " FORCE INDEX (command_due) WHERE state IN {command.WAITING} GROUP BY lane ORDER BY NULL");
    // A row for each lane.
    static final String LANE_SIZES = "SELECT s.lane, s.commands, c.created_at FROM (" + WAITING_BY_LANE
            + ") s LEFT JOIN command c ON c.id = s.oldest";
    // A retry is put off for five minutes at most; what is put off for longer waits for the time its description names.
    static final String COUNT_DUE = StateSql.of("""
            SELECT COUNT(*) - (SELECT COUNT(*) FROM command WHERE run_after > UTC_TIMESTAMP(6) + INTERVAL 6 MINUTE)
            FROM command WHERE state IN {command.WAITING}
            """);

    /**
     * A command to insert.
     *
     * @param job row of the job, locked or new in this transaction
     * @param state SUCCESSFULL or ERROR for one that is done already; otherwise QUEUED, which becomes CREATED behind
     *     another
     * @param failureReason null but for ERROR
     * @param owner row of the job's owner, in whose turn it is executed; 0 for one in nobody's
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
        /** One that is no start, in nobody's turn. */
        public NewCommand(int job, CommandKind kind, CommandState state, String description, String failureReason) {
            this(job, kind, state, description, failureReason, 0, 0);
        }

        /** The same that has not failed. */
        public NewCommand(int job, CommandKind kind, CommandState state, String description) {
            this(job, kind, state, description, null);
        }

        /** One that is no start, queued in its owner's turn. */
        public static NewCommand queued(JobRow job, CommandKind kind, String description) {
            return new NewCommand(
                    job.id(),
                    kind,
                    CommandState.QUEUED,
                    description,
                    null,
                    job.registration().ownerId(),
                    0);
        }

        /** The start of a job, in its owner's turn. */
        public static NewCommand start(int job, int owner, int queue) {
            return new NewCommand(job, CommandKind.JOB_START, CommandState.QUEUED, null, null, owner, queue);
        }
    }

    private record Due(long id, String lane, long turn) {}

    /**
     * Fencing tokens of claims (docs/developer/decisions/0048). A number that is counted in the row of the command is given twice
     * where the first claim was rolled back and its process does not know that: what this process then puts back would be the
     * claim of another. So each process counts for itself, from a random number on; two claims of one command have the same
     * number with a probability of 2^-31. Thread-safe.
     */
    private static final class ClaimNumbers {
        private final AtomicInteger last =
                new AtomicInteger(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));

        /** From 1 to the largest int. */
        int next() {
            return last.updateAndGet(n -> n == Integer.MAX_VALUE ? 1 : n + 1);
        }
    }

    private final JobNumbers numbers;
    private final LaneStore lanes;
    private final ClaimNumbers claims = new ClaimNumbers();

    public CommandStore(JobNumbers numbers) {
        this(numbers, false);
    }

    /** @param byVo whether VOs take turns, and owners in those of their VO */
    public CommandStore(JobNumbers numbers, boolean byVo) {
        this.numbers = numbers;
        lanes = new LaneStore(byVo);
    }

    LaneStore lanes() {
        return lanes;
    }

    /** The description of a job. */
    String text(Handle h, int job) {
        return h.createQuery("SELECT jdl FROM job_text WHERE job_id = :job")
                .bind("job", job)
                .mapTo(String.class)
                .one();
    }

    /** Those of the jobs that have a command which is not done. */
    public Set<Integer> busy(Handle h, Collection<Integer> jobIds) {
        return jobIds.isEmpty()
                ? Set.of()
                : new HashSet<>(h.createQuery(ACTIVE)
                        .bindList("ids", InList.of(jobIds))
                        .mapTo(Integer.class)
                        .list());
    }

    /** Those of the jobs that a command suspended and none has resumed since. */
    Set<Integer> suspended(Handle h, Collection<Integer> jobIds) {
        return new HashSet<>(h.createQuery(SUSPENDED)
                .bindList("ids", InList.of(jobIds))
                .mapTo(Integer.class)
                .list());
    }

    /**
     * Inserts commands of locked or new jobs.
     *
     * @param busy jobs with a command that is not done, as of {@link #busy}: further commands wait for it
     */
    public void insert(Handle h, List<NewCommand> commands, Set<Integer> busy, Instant now) {
        if (!commands.isEmpty()) {
            batch(h, commands, busy, now, null, 0).execute();
        }
    }

    /**
     * Inserts commands of locked jobs, those as claimed that need not wait for another of their job.
     *
     * @param found the jobs as {@link #lockToClaim} read them, as they stand now
     * @return what was claimed
     */
    public List<ClaimedCommand> insertClaimed(
            Handle h,
            List<NewCommand> commands,
            Set<Integer> busy,
            Instant now,
            DirectClaims.Reservation room,
            Map<Integer, ClaimedCommand> found) {
        if (commands.isEmpty()) {
            return List.of();
        }
        int claim = claims.next();
        List<Long> ids = batch(h, commands, busy, now, room, claim)
                .executePreparedBatch("id")
                .mapTo(Long.class)
                .list();
        if (ids.size() != commands.size()) {
            throw new IllegalStateException(
                    "the database returned " + ids.size() + " keys for " + commands.size() + " commands");
        }
        Set<Integer> waiting = new HashSet<>(busy);
        List<ClaimedCommand> claimed = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            if (waiting.add(commands.get(i).job())) {
                claimed.add(found.get(commands.get(i).job()).claimed(ids.get(i), claim));
            }
        }
        return claimed;
    }

    private PreparedBatch batch(
            Handle h,
            List<NewCommand> commands,
            Set<Integer> busy,
            Instant now,
            DirectClaims.Reservation room,
            int claim) {
        PreparedBatch batch = h.prepareBatch(INSERT);
        Set<Integer> waiting = new HashSet<>(busy);
        for (NewCommand c : commands) {
            boolean done = c.state() == CommandState.SUCCESSFULL || c.state() == CommandState.ERROR;
            boolean waits = !done && !waiting.add(c.job());
            boolean claimed = room != null && !done && !waits;
            CommandState state = claimed ? CommandState.PROCESSING : c.state();
            boolean starts = c.kind() == CommandKind.JOB_START;
            String lane = starts ? lanes.handOver(h, c.queue()) : Lane.of(c.kind());
            batch.bind("job", c.job())
                    .bind("kind", c.kind().code())
                    .bind("state", (waits ? CommandState.CREATED : state).code())
                    .bind("lane", lane)
                    .bind("turn", done ? 0 : lanes.next(h, lane, c.owner()))
                    .bind("now", now)
                    .bind("description", c.description())
                    .bind("failure", JobStore.cut(c.failureReason(), 2048))
                    .bind("started", done || claimed ? now : null)
                    .bind("done", done ? now : null)
                    .bind("tries", claimed ? 1 : 0)
                    .bind("claim", claimed ? claim : 0)
                    .bind("node", claimed ? (Integer) room.node() : null)
                    .bind("expires", claimed ? room.expires() : null)
                    .add();
        }
        return batch;
    }

    /**
     * Locks and reads jobs in the order of their ids, with all that the execution of a command of this kind needs; the
     * numbers of the commands are to come.
     */
    public List<ClaimedCommand> lockToClaim(Handle h, Collection<Integer> jobIds, CommandKind kind) {
        return h.createQuery(LOCK_TO_CLAIM)
                .define("kind", kind.code())
                .bindList("ids", InList.of(jobIds.stream().distinct().sorted().toList()))
                .map(this::claimed)
                .list();
    }

    /**
     * What a query for due commands found.
     *
     * @param readAll whether all that was due in these lanes was read; what of it was beyond their room was not claimed
     * @param found how many were claimed, by the lane they stood in
     */
    record Claim(List<ClaimedCommand> commands, boolean readAll, Map<String, Integer> found) {
        static final Claim NOTHING = new Claim(List.of(), true, Map.of());
    }

    /**
     * Claims due commands and marks the hand-over of those that start a job, so that a crash from here on is known to
     * have left the batch system in doubt.
     *
     * @param room how many of each lane, of at least one; rows beyond it are locked until the commit and left alone.
     *     A lane of a pause is read by itself, as far as it has room
     */
    Claim claim(Handle h, int node, Map<String, Integer> room, Instant now, Duration claim) {
        Map<String, Integer> usual = new HashMap<>(room);
        Map<String, Integer> paused = new HashMap<>(room);
        usual.keySet().removeIf(PauseScope::isOne);
        paused.keySet().removeAll(usual.keySet());
        Map<String, Integer> found = new HashMap<>();
        List<Due> due = new ArrayList<>();
        boolean readAll = usual.isEmpty() || readDue(h, usual, due);
        paused.forEach((lane, most) -> due.addAll(due(h, List.of(lane), most)));
        due.forEach(d -> lanes.turns().served(d.lane(), d.turn()));
        if (due.isEmpty()) {
            return new Claim(List.of(), readAll, found);
        }
        due.forEach(d -> found.merge(d.lane(), 1, Integer::sum));
        List<Long> ids = due.stream().map(Due::id).toList();
        h.createUpdate(CLAIM)
                .bind("node", node)
                .bind("claim", claims.next())
                .bind("expires", now.plus(claim))
                .bind("now", now)
                .bindList("ids", InList.of(ids))
                .execute();
        List<ClaimedCommand> claimed = h.createQuery(LOAD)
                .bindList("ids", InList.of(ids))
                .map(this::claimed)
                .list();
        List<Integer> starting = claimed.stream()
                .filter(c -> c.kind() == CommandKind.JOB_START)
                .map(c -> c.job().id())
                .toList();
        if (!starting.isEmpty()) {
            h.createUpdate(BEGIN_HAND_OVER).bindList("ids", InList.of(starting)).execute();
        }
        return new Claim(claimed, readAll, found);
    }

    /** Adds what is due, in order and as far as there is room; returns whether all of it was read. */
    private static boolean readDue(Handle h, Map<String, Integer> room, List<Due> due) {
        int most = Math.min(MAX_CLAIM, Collections.max(room.values()));
        Map<String, Integer> left = new HashMap<>(room);
        List<Due> read = due(h, room.keySet(), most);
        read.stream().filter(d -> left.merge(d.lane(), -1, Integer::sum) >= 0).forEach(due::add);
        return read.size() < most;
    }

    private static List<Due> due(Handle h, Collection<String> lanes, int most) {
        return h.createQuery(DUE)
                .bindList("lanes", InList.of(lanes))
                .bind("limit", most)
                .map((r, context) -> new Due(r.getLong("id"), r.getString("lane"), r.getLong("turn")))
                .list();
    }

    private ClaimedCommand claimed(ResultSet r, StatementContext context) throws SQLException {
        JobRow job = JobStore.ROW.map(r, context);
        String proxy = r.getString("proxy_file");
        CommandKind kind = CommandKind.ofCode(r.getInt("kind"));
        String lane = r.getString("lane");
        return new ClaimedCommand(
                r.getLong("command_id"),
                kind,
                lane == null ? Lane.of(kind, r.getString("lrms")) : lane,
                r.getInt("tries"),
                r.getInt("claim_number"),
                job,
                numbers.id(job.id()),
                job.batchJob().handOver() == JobRow.HandOver.SUBMITTING,
                r.getString("account"),
                r.getString("lrms"),
                r.getString("queue"),
                Owner.of(r),
                proxy == null ? null : Path.of(proxy),
                SqlTime.get(r, "proxy_end"),
                r.getBoolean("from_ice"),
                new ClaimedCommand.RouteRow(r.getInt("route_id"), r.getString("route")),
                r.getInt("language"),
                r.getString("jdl"));
    }

    /** Queues what was put off and is due again, up to a thousand; returns how many. */
    int queueAgain(Handle h, Instant now) {
        List<Long> ids =
                h.createQuery(DUE_AGAIN).bind("now", now).mapTo(Long.class).list();
        return ids.isEmpty()
                ? 0
                : h.createUpdate(QUEUE_AGAIN).bindList("ids", InList.of(ids)).execute();
    }

    /**
     * The clock was set back: what was put off by it is due as much earlier. Returns how many commands.
     *
     * @param now by the clock as it is now
     */
    int clockSetBack(Handle h, Instant now, Duration back) {
        return h.createUpdate(CLOCK_SET_BACK)
                .bind("now", now)
                .bind("back", back.toSeconds())
                .bind("latest", now.plus(back).plus(CommandCompleter.LONGEST_PARKED))
                .execute();
    }

    /** Keeps this node's claims alive. */
    int renewClaims(Handle h, int node, Instant expires) {
        return h.createUpdate(RENEW_CLAIMS)
                .bind("node", node)
                .bind("expires", expires)
                .execute();
    }

    /** Returns claims whose node did not renew them; returns how many. */
    int expireClaims(Handle h, Instant now) {
        return h.createUpdate(EXPIRE).bind("now", now).execute();
    }

    /** As {@link #renewClaims}, of those whose rows no other session holds; returns how many. */
    int renewFreeClaims(Handle h, int node, Instant expires) {
        List<Long> free =
                h.createQuery(FREE_CLAIMS).bind("node", node).mapTo(Long.class).list();
        return free.isEmpty()
                ? 0
                : h.createUpdate(RENEW_ALONE)
                        .bind("expires", expires)
                        .bindList("ids", InList.of(free))
                        .execute();
    }

    /** As {@link #expireClaims}, of those whose rows no other session holds. */
    int expireFreeClaims(Handle h, Instant now) {
        List<Long> free =
                h.createQuery(FREE_EXPIRED).bind("now", now).mapTo(Long.class).list();
        return free.isEmpty()
                ? 0
                : h.createUpdate(EXPIRE_ALONE).bindList("ids", InList.of(free)).execute();
    }

    /** Returns all claims of nodes that are known to be dead; returns how many. */
    int releaseNodes(Handle h, Collection<Integer> nodes) {
        return nodes.isEmpty()
                ? 0
                : h.createUpdate(RELEASE_NODES)
                        .bindList("nodes", InList.of(nodes))
                        .execute();
    }

    /**
     * Commands of a lane that wait, those included that a pause of an account or queue has set aside.
     *
     * @param oldest when the oldest was queued; null when it was claimed and ended meanwhile
     */
    public record LaneSize(String lane, long commands, Instant oldest) {
        private LaneSize and(LaneSize part) {
            boolean isOlder = oldest == null || (part.oldest != null && part.oldest.isBefore(oldest));
            return new LaneSize(lane, commands + part.commands, isOlder ? part.oldest : oldest);
        }
    }

    /** What waits, by lane; lanes in which nothing waits are missing. Reads an index entry for each command that waits. */
    public List<LaneSize> laneSizes(Handle h) {
        Map<String, LaneSize> sizes = new LinkedHashMap<>();
        h.createQuery(LANE_SIZES)
                .map((r, context) -> new LaneSize(
                        PauseScope.base(r.getString("lane")), r.getLong("commands"), SqlTime.get(r, "created_at")))
                .forEach(size -> sizes.merge(size.lane(), size, LaneSize::and));
        return List.copyOf(sizes.values());
    }

    /** Commands that can be claimed now or soon: without jobs that wait for their start time. */
    public long countDue(Handle h) {
        return h.createQuery(COUNT_DUE).mapTo(Long.class).one();
    }
}
