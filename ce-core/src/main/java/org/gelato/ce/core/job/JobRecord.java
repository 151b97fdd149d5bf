package org.gelato.ce.core.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Owner;

/**
 * A job as administrators see it, with the names of what its row refers to. Without the texts of its state, which may be long.
 *
 * @param account local account
 * @param since when the state began
 * @param handedOver when the batch system took it; null before
 * @param running when the batch system or the wrapper reported it to run; null before
 * @param ended null before
 * @param lrms kind of the batch system
 * @param queue name there
 * @param lrmsId null before it is in the batch system
 * @param node null before it is known
 * @param exitCode null before the end, and where none is known
 */
public record JobRecord(
        JobId id,
        Owner owner,
        String account,
        JobState state,
        Instant since,
        Instant registered,
        Instant handedOver,
        Instant running,
        Instant ended,
        String lrms,
        String queue,
        String lrmsId,
        String node,
        String exitCode) {
    /** What is selected for {@link #of}. */
    public static final String COLUMNS = """
            j.id, s.dn, o.fqan, o.vo, a.name AS account, j.state, j.state_since, j.registered_at, j.handed_over_at, j.running_at,
            j.ended_at, q.lrms, q.name AS queue, j.lrms_id, j.worker_node, j.exit_code
            """;

    /**
     * From where, for jobs that are chosen by their rows' ids. In a STRAIGHT_JOIN each of them finds what belongs to it by key, whatever the
     * optimizer thinks of further criteria.
     */
    public static final String TABLES = """
            job j FORCE INDEX (PRIMARY) JOIN owner o FORCE INDEX (PRIMARY) ON o.id = j.owner_id
              JOIN subject s FORCE INDEX (PRIMARY) ON s.id = o.subject_id
              JOIN account a FORCE INDEX (PRIMARY) ON a.id = j.account_id
              JOIN queue q FORCE INDEX (PRIMARY) ON q.id = j.queue_id
            """;

    /** Reads the current row of a query with these columns. */
    public static JobRecord of(ResultSet row, JobNumbers numbers) throws SQLException {
        return new JobRecord(
                numbers.id(row.getInt("id")),
                Owner.of(row),
                row.getString("account"),
                JobState.ofCode(row.getInt("state")),
                SqlTime.get(row, "state_since"),
                SqlTime.get(row, "registered_at"),
                SqlTime.get(row, "handed_over_at"),
                SqlTime.get(row, "running_at"),
                SqlTime.get(row, "ended_at"),
                row.getString("lrms"),
                row.getString("queue"),
                row.getString("lrms_id"),
                row.getString("worker_node"),
                row.getString("exit_code"));
    }
}
