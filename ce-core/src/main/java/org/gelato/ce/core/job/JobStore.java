package org.gelato.ce.core.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.lease.LeaseStore;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * SQL of the hot job rows and their history: reads by key, locks, and stores changes, always as sets. All methods work
 * within the caller's transaction.
 */
public final class JobStore {
    /** The most ids in one IN list; longer lists are read in slices. */
    static final int SLICE = 1000;

    /** The hot columns of a job {@code j}. */
    // Scalar subqueries, not joins: a locking read locks the rows of joined tables too, and every job of a delegation
    // would wait for every other.
    public static final String COLUMNS = """
            j.id, j.owner_id, j.queue_id, j.state, j.state_before_hold, j.state_since, j.hand_over, j.attempt, j.cancel_reason,
            j.lrms_id, j.worker_node, j.exit_code, j.failure_reason, j.description, j.registered_at, j.handed_over_at,
            (SELECT d.client_id FROM delegation d WHERE d.id = j.delegation_id) AS delegation,
            COALESCE(j.past_lease, (SELECT l.client_id FROM lease l WHERE l.id = j.lease_id)) AS lease
            """;

    static final String BY_ID = "SELECT " + COLUMNS + " FROM job j WHERE j.id IN (<ids>)";
    static final String LOCK = BY_ID + " ORDER BY j.id FOR UPDATE";
    // Indexes alone answer these two.
    static final String IDS_OF_OWNER = "SELECT id FROM job WHERE owner_id = :owner AND state IN (<states>)";
    static final String IDS_OF_ALL = "SELECT id FROM job WHERE state IN (<states>)";
    static final String FOLLOWED =
            "SELECT " + COLUMNS + " FROM job j WHERE j.queue_id IN (<queues>) AND j.state IN (2, 3, 4, 6)";
    static final String COUNT_ACTIVE = "SELECT COUNT(*) FROM job WHERE state IN (1, 2, 3, 4, 6)";

    private static final String UPDATE = """
            UPDATE job SET state = :state, state_before_hold = :beforeHold, state_since = :since, exit_code = :exitCode,
              failure_reason = :reason, description = :description,
              worker_node = COALESCE(:node, worker_node), lrms_id = COALESCE(lrms_id, :lrmsId),
              running_at = CASE WHEN :state IN (3, 4) THEN COALESCE(running_at, :since) ELSE running_at END,
              ended_at = CASE WHEN :final THEN COALESCE(ended_at, :since) ELSE ended_at END
            WHERE id = :id
            """;
    private static final String RECORD = """
            INSERT INTO job_state_history (job_id, owner_id, state, at, exit_code, failure_reason, description)
            VALUES (:id, :owner, :state, :since, :exitCode, :reason, :description)
            """;
    private static final String AMEND = """
            UPDATE job_state_history SET exit_code = :exitCode, failure_reason = :reason, description = :description
            WHERE job_id = :id AND state = :state ORDER BY id DESC LIMIT 1
            """;

    private final LeaseStore leases = new LeaseStore();

    /**
     * A change of one job with what was learnt beside.
     *
     * @param node worker node; null keeps what is known
     * @param lrmsId null keeps what is known; a known one is never overwritten here
     */
    public record Stored(JobRow job, JobStateMachine.Change change, String node, String lrmsId) {}

    /** Rows in the order of their ids; unknown ids are missing. */
    public List<JobRow> byId(Handle h, Collection<Integer> ids) {
        return rows(h, BY_ID, ids);
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
        List<Integer> ids =
                query.bindList("states", codes(states)).mapTo(Integer.class).list();
        Collections.sort(ids);
        return ids;
    }

    /** Jobs in the batch system, of these queues. */
    public List<JobRow> followed(Handle h, Collection<Integer> queues) {
        return queues.isEmpty()
                ? List.of()
                : h.createQuery(FOLLOWED)
                        .bindList("queues", List.copyOf(queues))
                        .map(ROW)
                        .list();
    }

    /** Jobs started and not ended. */
    public long countActive(Handle h) {
        return h.createQuery(COUNT_ACTIVE).mapTo(Long.class).one();
    }

    /** Stores changes of locked jobs with their history, and usage records of those that end. */
    public void store(Handle h, List<Stored> changes) {
        if (changes.isEmpty()) {
            return;
        }
        PreparedBatch update = h.prepareBatch(UPDATE);
        PreparedBatch record = h.prepareBatch(RECORD);
        PreparedBatch amend = h.prepareBatch(AMEND);
        List<Integer> ended = new ArrayList<>();
        List<Integer> leased = new ArrayList<>();
        for (Stored s : changes) {
            JobStateMachine.Change c = s.change();
            bind(update, s)
                    .bind(
                            "beforeHold",
                            c.stateBeforeHold() == null
                                    ? null
                                    : (Integer) c.stateBeforeHold().code())
                    .bind("node", cut(s.node(), 255))
                    .bind("lrmsId", s.lrmsId())
                    .bind("final", c.state().isFinal())
                    .add();
            if (c.update()) {
                bind(amend, s).add();
            } else {
                bind(record, s).bind("owner", s.job().ownerId()).add();
                if (c.state().isFinal()) {
                    ended.add(s.job().id());
                    if (s.job().leaseId() != null) {
                        leased.add(s.job().id());
                    }
                }
            }
        }
        update.execute();
        if (record.size() > 0) {
            record.execute();
        }
        if (amend.size() > 0) {
            amend.execute();
        }
        if (!ended.isEmpty()) {
            h.createUpdate(UsageRecords.INSERT).bindList("ids", ended).execute();
        }
        leases.jobsEnded(h, leased);
    }

    private static PreparedBatch bind(PreparedBatch batch, Stored s) {
        JobStateMachine.Change c = s.change();
        return batch.bind("id", s.job().id())
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
            h.createQuery(sql).bindList("ids", slice).map(ROW).forEach(rows::add);
        }
        rows.sort(Comparator.comparingInt(JobRow::id));
        return rows;
    }

    /** A list in parts of at most {@link #SLICE}, in order. */
    static <T> List<List<T>> slices(List<T> all) {
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

    /** Maps {@link #COLUMNS}. */
    public static final RowMapper<JobRow> ROW = JobStore::row;

    private static JobRow row(ResultSet r, StatementContext context) throws SQLException {
        int before = r.getInt("state_before_hold");
        JobState stateBeforeHold = r.wasNull() ? null : JobState.ofCode(before);
        return new JobRow(
                r.getInt("id"),
                r.getInt("owner_id"),
                r.getInt("queue_id"),
                JobState.ofCode(r.getInt("state")),
                stateBeforeHold,
                instant(r, "state_since"),
                JobRow.HandOver.values()[r.getInt("hand_over")],
                r.getInt("attempt"),
                r.getString("cancel_reason"),
                r.getString("lrms_id"),
                r.getString("worker_node"),
                r.getString("exit_code"),
                r.getString("failure_reason"),
                r.getString("description"),
                instant(r, "registered_at"),
                instant(r, "handed_over_at"),
                r.getString("delegation"),
                r.getString("lease"));
    }

    static Instant instant(ResultSet r, String column) throws SQLException {
        Timestamp t = r.getTimestamp(column);
        return t == null ? null : t.toInstant();
    }

    /** States as a set of database codes. */
    static List<Integer> codes(Set<JobState> states) {
        return states.stream().map(JobState::code).toList();
    }
}
