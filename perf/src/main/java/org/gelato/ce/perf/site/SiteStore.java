package org.gelato.ce.perf.site;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.job.JobState;

/**
 * What the measurement itself asks the database server, on a connection of its own: the server's counters, and how far the
 * jobs are, so that waiting costs the CE nothing. Counts its own statements. Used by one thread.
 */
public final class SiteStore implements AutoCloseable {
    private static final String FINAL = JobState.FINAL.stream()
            .map(s -> Integer.toString(s.code()))
            .sorted()
            .collect(Collectors.joining(", "));
    private static final String JOBS = "SELECT COUNT(*) FROM job";
    private static final String NOT_ENDED = "SELECT COUNT(*) FROM job WHERE state NOT IN (" + FINAL + ")";
    private static final String IN_STATE = "SELECT COUNT(*) FROM job WHERE state = ";

    private final Connection connection;
    private long own;

    SiteStore(DatabaseConfig database) throws SQLException {
        connection = DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    /** Jobs the CE knows. */
    public long jobs() {
        return number(JOBS, 1);
    }

    /** Jobs the CE knows that have not ended. */
    public long notEnded() {
        return number(NOT_ENDED, 1);
    }

    public long inState(JobState state) {
        return number(IN_STATE + state.code(), 1);
    }

    /** Statements the server was sent since it started, without those of this object. */
    public long questions() {
        // The server counts this one before it answers.
        return number("SHOW GLOBAL STATUS LIKE 'Questions'", 2) - own;
    }

    /** COMMIT statements the server was sent since it started. */
    public long commits() {
        return number("SHOW GLOBAL STATUS LIKE 'Com_commit'", 2);
    }

    private long number(String query, int column) {
        own++;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(column);
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
