package org.gelato.ce.perf.site;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.job.JobState;

/** What monitors ask the database of a measurement, on a connection of their own. Used by one thread at a time. */
public final class CountStore implements AutoCloseable {
    // An index alone answers it: job_state.
    private static final String BY_STATE = "SELECT state, COUNT(*) FROM job GROUP BY state";
    private static final String REASONS = "SELECT COALESCE(failure_reason, 'no reason'), COUNT(*) FROM job"
            + " WHERE state IN (8, 10) GROUP BY 1 ORDER BY 2 DESC LIMIT 20";
    private static final String OPEN_COMMANDS = "SELECT COUNT(*) FROM command WHERE state IN (0, 1, 2)";
    private static final String RAN_TWICE = "SELECT COUNT(*) FROM (SELECT job_id FROM job_state_history WHERE state = 4"
            + " GROUP BY job_id HAVING COUNT(*) > 1) t";

    private final Connection connection;

    CountStore(DatabaseConfig database) throws SQLException {
        connection = DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    /** Stored jobs by state; states without jobs are missing. */
    public Map<JobState, Long> byState() {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        query(BY_STATE, r -> counts.put(JobState.ofCode(r.getInt(1)), r.getLong(2)));
        return counts;
    }

    /** Why jobs failed, the most frequent reasons first. */
    public Map<String, Long> failureReasons() {
        Map<String, Long> counts = new LinkedHashMap<>();
        query(REASONS, r -> counts.put(r.getString(1), r.getLong(2)));
        return counts;
    }

    /** Commands that are not done. */
    public long openCommands() {
        return number(OPEN_COMMANDS);
    }

    /** Jobs whose payload began more than once. */
    public long ranTwice() {
        return number(RAN_TWICE);
    }

    private long number(String sql) {
        long[] number = new long[1];
        query(sql, r -> number[0] = r.getLong(1));
        return number[0];
    }

    /** What is done with each row. */
    @FunctionalInterface
    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private void query(String sql, Row row) {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                row.read(result);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database did not answer: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
