package org.gelato.ce.core.service;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.json.FaultCode;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.StatementContext;

/** The tables {@code register_key} and {@code register_result}. Callers bring the connection. */
public final class RegisterKeyStore {
    public static final String FIND = """
            SELECT k.request_hash, k.created_at, a.name AS account, r.position, r.job_id, r.warning, r.fault_kind,
              r.fault_cause, j.state
            FROM register_key k
            JOIN account a ON a.id = k.account_id
            LEFT JOIN register_result r ON r.owner_id = k.owner_id AND r.key_hash = k.key_hash
            LEFT JOIN job j ON j.id = r.job_id
            WHERE k.owner_id = :owner AND k.key_hash = :key
            """;
    // Waits for a transaction that holds the same key, then inserts nothing if that one committed.
    static final String CLAIM = """
            INSERT IGNORE INTO register_key (owner_id, key_hash, request_hash, account_id, created_at)
            VALUES (:owner, :key, :request, :account, :now)
            """;
    static final String ADD = """
            INSERT INTO register_result
              (owner_id, key_hash, position, job_id, warning, fault_kind, fault_cause)
            VALUES (:owner, :key, :position, :job, :warning, :kind, :cause)
            """;
    static final String TAKE_BACK = """
            UPDATE register_result
            SET job_id = NULL, warning = NULL, fault_kind = :kind, fault_cause = :cause
            WHERE owner_id = :owner AND key_hash = :key AND position = :position AND repeated = FALSE
            """;
    static final String REPEATED = """
            UPDATE register_result SET repeated = TRUE
            WHERE owner_id = :owner AND key_hash = :key AND position IN (<positions>) AND job_id IS NOT NULL
            """;
    static final String FORGET_ENDED =
            "DELETE FROM register_key WHERE owner_id = :owner AND key_hash = :key AND created_at <= :before";
    static final String SWEEP = "DELETE FROM register_key WHERE created_at <= :before ORDER BY created_at LIMIT :limit";
    static final String CROWDED =
            "SELECT owner_id FROM register_key GROUP BY owner_id HAVING COUNT(*) > :most ORDER BY owner_id";
    static final String COUNT = "SELECT COUNT(*) FROM register_key WHERE owner_id = :owner";
    static final String TRIM =
            "DELETE FROM register_key WHERE owner_id = :owner ORDER BY owner_id, created_at LIMIT :limit";

    /** Names a stored request. */
    record RequestKey(int owner, byte[] name, byte[] content) {}

    /**
     * The result for one description.
     *
     * @param job the job's row, or null
     * @param state the state of the job now; null when it has been purged, and beside a fault
     * @param warning as returned, or null
     * @param fault why there is no job, or null
     */
    record Response(Integer job, JobState state, String warning, JobFault fault) {
        static Response refused(JobFault fault) {
            return new Response(null, null, null, fault);
        }
    }

    /** A request that was answered, with the responses to it. */
    record Stored(byte[] request, Instant createdAt, String account, List<Response> responses) {}

    private record Row(byte[] request, Instant createdAt, String account, int position, Response response) {}

    /** The request stored under a key; null when there is none. */
    Stored find(Handle h, RequestKey key) {
        List<Row> rows = h
                .createQuery(FIND)
                .bind("owner", key.owner())
                .bind("key", key.name())
                .map(RegisterKeyStore::row)
                .list()
                .stream()
                .sorted(Comparator.comparingInt(Row::position)) // not by the server: it makes a temporary table for it
                .toList();
        if (rows.isEmpty()) {
            return null;
        }
        Row first = rows.get(0);
        return new Stored(
                first.request(),
                first.createdAt(),
                first.account(),
                rows.stream().map(Row::response).toList());
    }

    /** A node with another version may have stored one that this one does not know. */
    private static FaultCode code(String name) {
        return Arrays.stream(FaultCode.values())
                .filter(code -> code.name().equals(name))
                .findFirst()
                .orElse(FaultCode.GENERIC);
    }

    private static Row row(ResultSet rs, StatementContext context) throws SQLException {
        String kind = rs.getString("fault_kind");
        JobFault fault = kind == null ? null : new JobFault(code(kind), rs.getString("fault_cause"));
        Integer state = rs.getObject("state", Integer.class);
        Long job = rs.getObject("job_id", Long.class);
        return new Row(
                rs.getBytes("request_hash"),
                rs.getTimestamp("created_at").toInstant(),
                rs.getString("account"),
                rs.getInt("position"),
                new Response(
                        job == null ? null : Math.toIntExact(job),
                        state == null ? null : JobState.ofCode(state),
                        rs.getString("warning"),
                        fault));
    }

    /** Whether the key is the caller's now; false when another transaction has committed it. */
    boolean claim(Handle h, RequestKey key, int account, Instant now) {
        return h.createUpdate(CLAIM)
                        .bind("owner", key.owner())
                        .bind("key", key.name())
                        .bind("request", key.content())
                        .bind("account", account)
                        .bind("now", now)
                        .execute()
                == 1;
    }

    void add(Handle h, RequestKey key, List<Response> responses) {
        PreparedBatch batch = h.prepareBatch(ADD);
        for (int i = 0; i < responses.size(); i++) {
            Response response = responses.get(i);
            JobFault fault = response.fault();
            batch.bind("owner", key.owner())
                    .bind("key", key.name())
                    .bind("position", i)
                    .bind("job", response.job())
                    .bind("warning", response.warning())
                    .bind("kind", fault == null ? null : fault.code().name())
                    .bind("cause", fault == null ? null : fault.cause())
                    .add();
        }
        batch.execute();
    }

    /** Puts a fault in the place of a job; false when a repetition returns the job. */
    boolean takeBack(Handle h, RequestKey key, int position, JobFault fault) {
        return h.createUpdate(TAKE_BACK)
                        .bind("owner", key.owner())
                        .bind("key", key.name())
                        .bind("position", position)
                        .bind("kind", fault.code().name())
                        .bind("cause", fault.cause())
                        .execute()
                == 1;
    }

    /** Keeps jobs from being taken back, because a repetition returns them; false when one was taken back before. */
    boolean repeat(Handle h, RequestKey key, Collection<Integer> positions) {
        return h.createUpdate(REPEATED)
                        .bind("owner", key.owner())
                        .bind("key", key.name())
                        .bindList("positions", InList.of(positions))
                        .execute()
                == positions.size();
    }

    /** Makes room for a new request under a key that had its day. */
    void forgetEnded(Handle h, RequestKey key, Instant before) {
        h.createUpdate(FORGET_ENDED)
                .bind("owner", key.owner())
                .bind("key", key.name())
                .bind("before", before)
                .execute();
    }

    /** Removes keys that are this old. @return how many */
    public int sweep(Handle h, Instant before, int limit) {
        return h.createUpdate(SWEEP).bind("before", before).bind("limit", limit).execute();
    }

    /** Owners with more keys than this. */
    public List<Integer> crowded(Handle h, int most) {
        return h.createQuery(CROWDED).bind("most", most).mapTo(Integer.class).list();
    }

    public int count(Handle h, int owner) {
        return h.createQuery(COUNT).bind("owner", owner).mapTo(Integer.class).one();
    }

    /** Removes an owner's oldest keys. @return how many */
    public int trim(Handle h, int owner, int limit) {
        return h.createUpdate(TRIM).bind("owner", owner).bind("limit", limit).execute();
    }
}
