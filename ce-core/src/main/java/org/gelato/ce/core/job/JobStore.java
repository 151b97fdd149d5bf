package org.gelato.ce.core.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SliceWeight;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.db.ValueRows;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.lease.LeaseStore;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * SQL of the hot job rows and their history: reads by key, locks, and stores changes, always as sets. All methods work
 * within the caller's transaction.
 */
public final class JobStore {
    /** The most ids in one IN list; longer lists are read in slices. */
    public static final int SLICE = 1000;

    /** The hot columns of a job {@code j}, in the order of {@link JobRow}. */
    // Scalar subqueries, not joins: a locking read locks the rows of joined tables too, and every job of a delegation
    // would wait for every other.
    public static final String COLUMNS = """
            j.id, j.owner_id, j.queue_id, j.state, j.state_before_hold, j.state_since, j.hand_over, j.attempt, j.cancel_reason,
            j.lrms_id, j.worker_node, j.exit_code, j.failure_reason, j.description, j.registered_at, j.handed_over_at,
            (SELECT d.client_id FROM delegation d WHERE d.id = j.delegation_id) AS delegation,
            COALESCE(j.past_lease, (SELECT l.client_id FROM lease l WHERE l.id = j.lease_id)) AS lease, j.account_id
            """;

    static final String BY_ID = "SELECT " + COLUMNS + " FROM job j WHERE j.id IN (<ids>)";
    /** With the bytes of the job's description. */
    static final String BY_ID_WITH_TEXT = "SELECT " + COLUMNS
            + ", (SELECT t.bytes FROM job_text t WHERE t.job_id = j.id) AS bytes FROM job j WHERE j.id IN (<ids>)";

    static final String STATES_BY_ID =
            "SELECT id, owner_id, state, state_since, exit_code, failure_reason, description FROM job WHERE id IN (<ids>)";

    static final String LOCK = BY_ID + " ORDER BY j.id FOR UPDATE";
    // Indexes alone serve these two.
    static final String IDS_OF_OWNER = "SELECT id FROM job WHERE owner_id = :owner AND state IN (<states>)";
    static final String IDS_OF_ALL = "SELECT id FROM job WHERE state IN (<states>)";
    // Named, because the server may take the key, where the jobs of all others are in between.
    static final String PAGE_OF_OWNER =
            "SELECT id FROM job FORCE INDEX (job_owner) WHERE owner_id = :owner AND state IN (<states>) AND id > :after";
    static final String PAGE_OF_ALL =
            "SELECT id FROM job FORCE INDEX (job_state) WHERE state IN (<states>) AND id > :after";
    static final String ANY_OF_SUBJECT =
            "SELECT j.id FROM subject s JOIN owner o ON o.subject_id = s.id JOIN job j FORCE INDEX (job_owner) ON j.owner_id = o.id "
                    + "WHERE s.kind = ? AND s.dn_hash = ? LIMIT 1";
    static final String FOLLOWED =
            StateSql.of("SELECT " + COLUMNS + " FROM job j WHERE j.state IN {IN_LRMS} AND j.queue_id IN (<queues>)");
    // The index alone serves it.
    static final String ENDED_SINCE = "SELECT id, state_since FROM job FORCE INDEX (job_state)"
            + " WHERE state = :state AND state_since >= :from ORDER BY state_since LIMIT :most";
    static final String CONFIRMED_UNTIL =
            "SELECT MIN(until), COUNT(*) FROM ends_confirmed WHERE queue_id IN (<queues>)";
    static final String CONFIRM = "INSERT INTO ends_confirmed (queue_id, until) VALUES (:queue, :until)"
            + " ON DUPLICATE KEY UPDATE until = CASE WHEN until > :now THEN VALUES(until) ELSE GREATEST(until, VALUES(until)) END";
    // Named: jobs that ended are not read, however many there are.
    static final String COUNT_PRESENT = StateSql.of("""
            SELECT j.state, q.lrms, q.name, o.vo, o.id AS owner, COUNT(*) AS jobs
            FROM job j FORCE INDEX (job_state) STRAIGHT_JOIN queue q ON q.id = j.queue_id
              STRAIGHT_JOIN owner o ON o.id = j.owner_id
            WHERE j.state IN {NOT_ENDED} GROUP BY j.state, q.lrms, q.name, o.vo, o.id ORDER BY NULL
            """);
    static final String COUNT_ACTIVE = StateSql.of("SELECT COUNT(*) FROM job WHERE state IN {ACTIVE}");

    // The rows come first and each finds its job by key, whatever the optimizer thinks of the rows.
    static final String UPDATE = """
            UPDATE (<rows>) v STRAIGHT_JOIN job j ON j.id = v.id
            SET j.state = v.state, j.state_before_hold = v.before_hold, j.state_since = v.since,
              j.exit_code = v.exit_code, j.failure_reason = v.reason, j.description = v.description,
              j.worker_node = COALESCE(v.node, j.worker_node), j.lrms_id = COALESCE(j.lrms_id, v.lrms_id),
              j.running_at = COALESCE(j.running_at, v.running_at), j.ended_at = COALESCE(j.ended_at, v.ended_at)
            """;
    static final List<String> CHANGED = List.of(
            "id",
            "state",
            "before_hold",
            "since",
            "exit_code",
            "reason",
            "description",
            "node",
            "lrms_id",
            "running_at",
            "ended_at");
    // Here and below "state + 0": by an index on the state the rows of others would be locked on the way. A job is
    // marked before
    // its start where the database came from a backup: it may have been started after that.
    static final String START = StateSql.of("""
            UPDATE job SET state = {PENDING}, state_since = GREATEST(state_since, :now), hand_over = GREATEST(hand_over, :handOver),
              attempt = attempt + :handOver
            WHERE id IN (<ids>) AND state + 0 = {REGISTERED}
              AND NOT EXISTS (SELECT 1 FROM command c WHERE c.job_id = job.id AND c.state IN {command.OPEN})
            """);
    static final String TAKEN = StateSql.of("""
            UPDATE (<rows>) v STRAIGHT_JOIN job j ON j.id = v.id
            SET j.state = {IDLE}, j.state_since = v.since, j.hand_over = 2, j.lrms_id = v.lrms_id, j.handed_over_at = v.at,
              j.description = NULL
            WHERE j.state + 0 = {PENDING}
            """);
    static final List<String> TAKEN_ROWS = List.of("id", "since", "lrms_id", "at");
    private static final String RECORD = """
            INSERT INTO job_state_history (job_id, owner_id, state, at, exit_code, failure_reason, description)
            VALUES (:id, :owner, :state, :since, :exitCode, :reason, :description)
            """;
    private static final String AMEND = """
            UPDATE job_state_history SET exit_code = :exitCode, failure_reason = :reason, description = :description
            WHERE job_id = :id AND state = :state ORDER BY id DESC LIMIT 1
            """;

    private final LeaseStore leases = new LeaseStore();
    private final JobCounts counts = new JobCounts();
    private final UsageRecords usage = new UsageRecords();
    private final JobEnds ends;

    /** A store that reports no ends. */
    public JobStore() {
        this(JobEnds.NONE);
    }

    /** @param ends gets the jobs that ended, after each commit */
    public JobStore(JobEnds ends) {
        this.ends = ends;
    }

    /**
     * A change of one job with what was learnt beside.
     *
     * @param node worker node; null keeps what is known
     * @param lrmsId null keeps what is known; a known one is never overwritten here
     * @param usage what a job that ends used; null when it is not reported
     */
    public record Stored(JobRow job, JobStateMachine.Change change, String node, String lrmsId, Usage usage) {
        /** A change without usage. */
        public Stored(JobRow job, JobStateMachine.Change change, String node, String lrmsId) {
            this(job, change, node, lrmsId, null);
        }
    }

    /** Rows in the order of their ids; unknown ids are missing. */
    public List<JobRow> byId(Handle h, Collection<Integer> ids) {
        return rows(h, BY_ID, ids);
    }

    /**
     * Rows of a slice of a result by their ids, in any order.
     *
     * @param ids some thousands at most
     * @throws SliceWeight.TooHeavy when they weigh too much
     */
    public Map<Integer, JobRow> byId(Handle h, Collection<Integer> ids, SliceWeight weight) {
        Map<Integer, JobRow> rows = new HashMap<>();
        if (!ids.isEmpty()) {
            h.createQuery(BY_ID)
                    .setFetchSize(SliceWeight.ROW_BY_ROW)
                    .bindList("ids", InList.of(ids))
                    .map(ROW)
                    .forEach(row -> rows.put(row.id(), weighed(row, weight)));
        }
        return rows;
    }

    /**
     * States of a slice of a result by the jobs' ids, in any order.
     *
     * @param ids some thousands at most
     * @throws SliceWeight.TooHeavy when they weigh too much
     */
    public Map<Integer, JobStateRow> states(Handle h, Collection<Integer> ids, SliceWeight weight) {
        Map<Integer, JobStateRow> rows = new HashMap<>();
        if (!ids.isEmpty()) {
            IdsInText.query(h, STATES_BY_ID, ids)
                    .setFetchSize(SliceWeight.ROW_BY_ROW)
                    .map(STATE)
                    .forEach(row -> {
                        JobStatus status = row.status();
                        weight.row(status.exitCode(), status.failureReason(), status.description());
                        rows.put(row.id(), row);
                    });
        }
        return rows;
    }

    /**
     * A job with what its description takes.
     *
     * @param bytes of the description
     */
    public record Sized(JobRow row, int bytes) {}

    /** As {@link #byId(Handle, Collection, SliceWeight)}, with the bytes of the descriptions, which do not count. */
    public Map<Integer, Sized> byIdWithText(Handle h, Collection<Integer> ids, SliceWeight weight) {
        Map<Integer, Sized> rows = new HashMap<>();
        if (!ids.isEmpty()) {
            h.createQuery(BY_ID_WITH_TEXT)
                    .setFetchSize(SliceWeight.ROW_BY_ROW)
                    .bindList("ids", InList.of(ids))
                    .map((r, c) -> new Sized(row(r, c), r.getInt(20)))
                    .forEach(sized -> {
                        weighed(sized.row(), weight);
                        rows.put(sized.row().id(), sized);
                    });
        }
        return rows;
    }

    private static JobRow weighed(JobRow row, SliceWeight weight) {
        weight.row(
                row.cancelReason(),
                row.lrmsId(),
                row.batchJob().workerNode(),
                row.status().exitCode(),
                row.status().failureReason(),
                row.status().description(),
                row.registration().delegationId(),
                row.registration().leaseId());
        return row;
    }

    /** Locks and reads rows in the order of their ids, so that no two transactions wait for each other. */
    public List<JobRow> lock(Handle h, Collection<Integer> ids) {
        return rows(h, LOCK, ids);
    }

    /**
     * Ids of jobs in these states, of an owner or of everybody for null; oldest first. Whole rows are then read in {@link
     * #slices}, since an owner may have hundreds of thousands of jobs. No statement for no states.
     */
    public List<Integer> ids(Handle h, Integer owner, Set<JobState> states) {
        if (states.isEmpty()) {
            return List.of();
        }
        Query query = owner == null
                ? h.createQuery(IDS_OF_ALL)
                : h.createQuery(IDS_OF_OWNER).bind("owner", owner);
        List<Integer> ids = query.bindList("states", InList.of(codes(states)))
                .mapTo(Integer.class)
                .list();
        Collections.sort(ids);
        return ids;
    }

    /**
     * The oldest jobs in these states above an id, of an owner or of everybody for null. No statement for no states.
     *
     * @param most ids of a page
     */
    public JobChoice.Page page(Handle h, Integer owner, Set<JobState> states, int after, int most) {
        JobChoice.Page page = new JobChoice.Page(most);
        if (!states.isEmpty()) {
            Query query = owner == null
                    ? h.createQuery(PAGE_OF_ALL)
                    : h.createQuery(PAGE_OF_OWNER).bind("owner", owner);
            query.setFetchSize(SliceWeight.ROW_BY_ROW)
                    .bindList("states", InList.of(codes(states)))
                    .bind("after", after)
                    .mapTo(Integer.class)
                    .forEach(page::add);
        }
        return page.complete();
    }

    /** Whether there is a job of a user or service, under any group. */
    public boolean hasAny(Handle h, Identity identity) {
        return h.select(ANY_OF_SUBJECT, identity.kind().code(), Sha256.of(identity.subject()))
                .mapTo(Integer.class)
                .findFirst()
                .isPresent();
    }

    /** Jobs in the batch system, of these queues. */
    public List<JobRow> followed(Handle h, Collection<Integer> queues) {
        return queues.isEmpty()
                ? List.of()
                : h.createQuery(FOLLOWED)
                        .bindList("queues", InList.of(queues))
                        .map(ROW)
                        .list();
    }

    /** Rows of jobs that are DONE since a time, with that, in its order; the first so many. */
    public Map<Integer, Instant> endedSince(Handle h, Instant from, int most) {
        List<Map.Entry<Integer, Instant>> all = new ArrayList<>();
        for (JobState state : List.of(JobState.DONE_OK, JobState.DONE_FAILED)) {
            h.createQuery(ENDED_SINCE)
                    .bind("state", state.code())
                    .bind("from", from)
                    .bind("most", most)
                    .map((r, c) -> Map.entry(r.getInt(1), SqlTime.get(r, 2)))
                    .forEach(all::add);
        }
        all.sort(Map.Entry.comparingByValue());
        Map<Integer, Instant> ends = new LinkedHashMap<>();
        all.stream().limit(most).forEach(end -> ends.put(end.getKey(), end.getValue()));
        return ends;
    }

    /** Until when the batch system's word is known of all ends of these queues; empty where it is not known of each queue. */
    public Optional<Instant> confirmedUntil(Handle h, Collection<Integer> queues) {
        return h.createQuery(CONFIRMED_UNTIL)
                .bindList("queues", InList.of(queues))
                .map((r, c) -> r.getInt(2) < queues.size() ? Optional.<Instant>empty() : Optional.of(SqlTime.get(r, 1)))
                .one();
    }

    /** The batch system's word is known of all ends of these queues until a time. One that was stored by a clock that was ahead is replaced. */
    public void confirmed(Handle h, Collection<Integer> queues, Instant until, Instant now) {
        PreparedBatch batch = h.prepareBatch(CONFIRM);
        queues.forEach(queue ->
                batch.bind("queue", queue).bind("until", until).bind("now", now).add());
        batch.execute();
    }

    /** Jobs started and not ended. */
    public long countActive(Handle h) {
        return h.createQuery(COUNT_ACTIVE).mapTo(Long.class).one();
    }

    /**
     * Stores changes of locked jobs with their history, and usage records of those that end; a change of a job that has ended corrects
     * its record. A job may have several changes, in their order: each has its record, and the last is how the job stands. What is reported of the usage of a job
     * that ended before is not stored here but by {@link UsageRecords#merge}.
     */
    public void store(Handle h, List<Stored> changes) {
        if (changes.isEmpty()) {
            return;
        }
        Map<Integer, JobUpdate> updates = new TreeMap<>();
        List<Stored> recorded = new ArrayList<>();
        List<Stored> amended = new ArrayList<>();
        Map<Integer, Usage> ended = new TreeMap<>();
        List<Integer> leased = new ArrayList<>();
        Set<Integer> corrected = new TreeSet<>();
        for (Stored s : changes) {
            updates.computeIfAbsent(s.job().id(), JobUpdate::new).add(s);
            (s.change().update() ? amended : recorded).add(s);
            if (!s.change().update() && s.job().state().isFinal()) {
                corrected.add(s.job().id());
            } else if (!s.change().update() && s.change().state().isFinal()) {
                ended.put(s.job().id(), s.usage());
                if (s.job().registration().leaseId() != null) {
                    leased.add(s.job().id());
                }
            }
        }
        ValueRows.update(
                h,
                UPDATE,
                CHANGED,
                updates.values().stream().map(JobUpdate::values).toList());
        record(h, recorded);
        for (Stored s : amended) {
            bind(h.createUpdate(AMEND), s).execute();
        }
        usage.insert(h, ended);
        usage.correct(h, corrected);
        leases.jobsEnded(h, leased);
    }

    /**
     * Starts locked jobs that are registered and have no command under way, and records it.
     *
     * @param changes of different jobs
     * @param handOver whether the hand-over begins in this transaction
     * @return false when some of the jobs were left out and none was recorded: the caller finds out which, and {@link
     *     #record}s the others
     */
    public boolean start(Handle h, List<Stored> changes, boolean handOver, Instant now) {
        int started = h.createUpdate(START)
                .bind("now", now)
                .bind("handOver", handOver ? 1 : 0)
                .bindList(
                        "ids", InList.of(changes.stream().map(s -> s.job().id()).toList()))
                .execute();
        if (started == changes.size()) {
            record(h, changes);
            return true;
        }
        return false;
    }

    /**
     * Jobs the batch system has taken, queued by one conditional update without reading them first.
     *
     * @param changes from PENDING, of different jobs, with the LRMS id
     * @return whether all the jobs were pending still; otherwise the caller must roll back
     */
    public boolean taken(Handle h, List<Stored> changes, Instant now) {
        List<Object[]> rows = changes.stream()
                .sorted(Comparator.comparingInt(s -> s.job().id()))
                .map(s -> new Object[] {s.job().id(), s.change().at(), s.lrmsId(), now})
                .toList();
        if (ValueRows.update(h, TAKEN, TAKEN_ROWS, rows) != rows.size()) {
            return false;
        }
        record(h, changes);
        return true;
    }

    /** Inserts the history records of changes; ids ascend in their order. */
    public void record(Handle h, List<Stored> changes) {
        if (changes.isEmpty()) {
            return;
        }
        PreparedBatch record = h.prepareBatch(RECORD);
        for (Stored s : changes) {
            bind(record, s).bind("owner", s.job().registration().ownerId()).add();
        }
        record.execute();
        List<Stored> committed = List.copyOf(changes);
        List<JobEnds.End> ended = ends.read(h, committed);
        h.afterCommit(() -> {
            counts.add(committed);
            ends.committed(ended);
        });
    }

    /** What was committed by this store. */
    public JobCounts counts() {
        return counts;
    }

    /**
     * Jobs of one kind that have not ended.
     *
     * @param lrms the batch system
     * @param vo null for none
     * @param owner row of the owner
     */
    public record Present(JobState state, String lrms, String queue, String vo, int owner, long jobs) {}

    /** How many jobs have not ended, by state, queue, VO and owner; reads as many index entries and rows as there are such jobs. */
    public List<Present> countPresent(Handle h) {
        return h.createQuery(COUNT_PRESENT)
                .map((r, context) -> new Present(
                        JobState.ofCode(r.getInt("state")),
                        r.getString("lrms"),
                        r.getString("name"),
                        r.getString("vo"),
                        r.getInt("owner"),
                        r.getLong("jobs")))
                .list();
    }

    private static <T extends SqlStatement<T>> T bind(T statement, Stored s) {
        JobStateMachine.Change c = s.change();
        return statement
                .bind("id", s.job().id())
                .bind("state", c.state().code())
                .bind("since", c.at())
                .bind("exitCode", c.exitCode())
                .bind("reason", cut(c.failureReason(), 2048))
                .bind("description", cut(c.description(), 512));
    }

    private static List<JobRow> rows(Handle h, String sql, Collection<Integer> ids) {
        List<Integer> sorted = ids.stream().distinct().sorted().toList();
        List<JobRow> rows = new ArrayList<>(sorted.size());
        for (List<Integer> slice : slices(sorted)) {
            h.createQuery(sql).bindList("ids", InList.of(slice)).map(ROW).forEach(rows::add);
        }
        rows.sort(Comparator.comparingInt(JobRow::id));
        return rows;
    }

    /** A list in parts of at most {@link #SLICE}, in order. */
    public static <T> List<List<T>> slices(List<T> all) {
        List<List<T>> slices = new ArrayList<>();
        for (int i = 0; i < all.size(); i += SLICE) {
            slices.add(all.subList(i, Math.min(all.size(), i + SLICE)));
        }
        return slices;
    }

    /** Cuts a text to what its column holds, whole characters only. */
    public static String cut(String text, int max) {
        if (text == null || text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end);
    }

    /** Maps {@link #COLUMNS} where they come first. */
    // By position: in a result of thousands of rows names cost as much as the values.
    public static final RowMapper<JobRow> ROW = JobStore::row;

    private static final RowMapper<JobStateRow> STATE = (r, context) -> new JobStateRow(
            r.getInt(1),
            r.getInt(2),
            new JobStatus(
                    JobState.ofCode(r.getInt(3)), SqlTime.get(r, 4), r.getString(5), r.getString(6), r.getString(7)));

    private static JobRow row(ResultSet r, StatementContext context) throws SQLException {
        int before = r.getInt(5);
        JobState stateBeforeHold = r.wasNull() ? null : JobState.ofCode(before);
        return new JobRow(
                r.getInt(1),
                new JobRow.Registration(
                        r.getInt(2), r.getInt(3), r.getInt(19), SqlTime.get(r, 15), r.getString(17), r.getString(18)),
                new JobStatus(
                        JobState.ofCode(r.getInt(4)),
                        SqlTime.get(r, 6),
                        r.getString(12),
                        r.getString(13),
                        r.getString(14)),
                stateBeforeHold,
                r.getString(9),
                new JobRow.BatchJob(
                        JobRow.HandOver.values()[r.getInt(7)],
                        r.getInt(8),
                        SqlTime.get(r, 16),
                        r.getString(10),
                        r.getString(11)));
    }

    /** States as a set of database codes. */
    static List<Integer> codes(Set<JobState> states) {
        return states.stream().map(JobState::code).toList();
    }
}
