package org.gelato.ce.perf.site;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;
import org.gelato.ce.core.db.DatabaseConfig;

/** A connection of the measurement's own, whose statements are counted so that none is charged to the CE. For one thread. */
final class OwnConnection implements AutoCloseable {
    private final Connection connection;
    private final LongAdder statements;

    /** @param statements all of the measurement's */
    OwnConnection(DatabaseConfig database, LongAdder statements) throws SQLException {
        this.connection = DriverManager.getConnection(database.url(), database.user(), database.password());
        this.statements = statements;
    }

    /** What is done with each row. */
    @FunctionalInterface
    interface Row {
        void read(ResultSet row) throws SQLException;
    }

    void query(String sql, Row row) {
        statements.increment();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                row.read(result);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database did not respond: " + e.getMessage(), e);
        }
    }

    /** A column of the first row; 0 where there is none. */
    long number(String sql, int column) {
        long[] number = new long[1];
        query(sql, r -> number[0] = r.getLong(column));
        return number[0];
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
