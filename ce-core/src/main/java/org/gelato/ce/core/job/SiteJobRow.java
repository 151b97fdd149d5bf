package org.gelato.ce.core.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.json.SiteJob;

/** What of a job's row, and of the rows that it refers to, administrators see. */
public final class SiteJobRow {
    /** What is selected for {@link #of}. */
    public static final String COLUMNS = """
            j.id, s.dn, o.fqan, o.vo, a.name AS account, j.state, j.state_since, j.registered_at, j.running_at,
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

    private SiteJobRow() {}

    /** Reads the current row of a query with these columns. */
    public static SiteJob of(ResultSet row, JobNumbers numbers) throws SQLException {
        Owner owner = Owner.of(row);
        return new SiteJob(
                numbers.id(row.getInt("id")).toString(),
                owner.subject(),
                owner.group().isEmpty() ? null : owner.group(),
                owner.vo(),
                row.getString("account"),
                JobState.ofCode(row.getInt("state")).wireName(),
                SqlTime.get(row, "state_since"),
                SqlTime.get(row, "registered_at"),
                SqlTime.get(row, "running_at"),
                SqlTime.get(row, "ended_at"),
                row.getString("lrms"),
                row.getString("queue"),
                row.getString("lrms_id"),
                row.getString("worker_node"),
                row.getString("exit_code"));
    }
}
