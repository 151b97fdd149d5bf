package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * The row that names the one server through which all CEs write, and how often it has changed. Connections in auto-commit mode.
 *
 * @param server its name by {@link ServerFacts#identity}; empty for none yet
 * @param term changes of the writer so far
 */
record WriterTerm(String server, long term) {
    private static final int NO_SUCH_TABLE = 1146;
    private static final int NO_DATABASE = 1046;

    /** Reads the row; empty in a schema that is not made yet. */
    static Optional<WriterTerm> read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT server, term FROM database_writer WHERE id = 1")) {
            return row.next() ? Optional.of(new WriterTerm(row.getString(1), row.getLong(2))) : Optional.empty();
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_TABLE || e.getErrorCode() == NO_DATABASE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Names another server; false when somebody else did since this was read. */
    boolean succeed(Connection connection, String next) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE database_writer SET server = ?, term = term + 1 WHERE id = 1 AND term = ?")) {
            update.setString(1, next);
            update.setLong(2, term);
            return update.executeUpdate() == 1;
        }
    }
}
