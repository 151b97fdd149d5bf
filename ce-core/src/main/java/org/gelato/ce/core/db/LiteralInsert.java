package org.gelato.ce.core.db;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HexFormat;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.core.statement.Update;

/**
 * An INSERT of many small rows whose values are part of the statement: as parameters they cost driver and JVM several times as much.
 * Takes numbers, times and bytes alone, none of which could end a literal. For one thread and one transaction.
 */
public final class LiteralInsert {
    /** Characters after which a statement is sent; with a row of some kilobytes it stays far below what any server takes. */
    private static final int ENOUGH = 256 << 10;

    private static final HexFormat HEX = HexFormat.of();

    private final Handle handle;
    private final String into;
    private final StringBuilder sql = new StringBuilder();
    private boolean first;

    /** @param into {@code INSERT INTO table (column, ...)} */
    public LiteralInsert(Handle handle, String into) {
        this.handle = handle;
        this.into = into;
    }

    /**
     * Begins a row, whose values follow in the order of the columns.
     *
     * @throws UnableToExecuteStatementException when the rows before it are sent and the server refuses them
     */
    public LiteralInsert row() {
        if (sql.length() >= ENOUGH) {
            send();
        }
        sql.append(sql.length() == 0 ? into + " VALUES (" : "), (");
        first = true;
        return this;
    }

    public LiteralInsert number(long value) {
        next().append(value);
        return this;
    }

    public LiteralInsert time(Instant value) {
        next().append('\'').append(SqlTime.text(value)).append('\'');
        return this;
    }

    /** @param value null for NULL; of a text its bytes in UTF-8 */
    public LiteralInsert bytes(byte[] value) {
        if (value == null) {
            next().append("NULL");
        } else {
            next().append("x'").append(HEX.formatHex(value)).append('\'');
        }
        return this;
    }

    private StringBuilder next() {
        if (!first) {
            sql.append(", ");
        }
        first = false;
        return sql;
    }

    /**
     * Sends what was not sent yet; nothing where there are no rows.
     *
     * @throws UnableToExecuteStatementException when the server refuses it
     */
    public void send() {
        if (sql.length() == 0) {
            return;
        }
        String literal = sql.append(')').toString();
        sql.setLength(0);
        // Jdbi counts the statement and names it in a failure, but does not prepare it: the driver would read all of it
        // for parameters.
        try (Update named = handle.createUpdate(into)) {
            named.getConfig(SqlStatements.class).getSqlLogger().logBeforeExecution(named.getContext());
            try (Statement statement = handle.getConnection().createStatement()) {
                statement.executeUpdate(literal);
            } catch (SQLException e) {
                throw new UnableToExecuteStatementException(into + ": " + e.getMessage(), e, named.getContext());
            }
        }
    }
}
