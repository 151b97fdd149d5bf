package org.gelato.ce.core.delegation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jdbi.v3.core.argument.Argument;

/**
 * Times of DATETIME(6) columns, UTC. They travel as LocalDateTime: the driver shifts Timestamps of such columns by the
 * time zone of the JVM. Pure.
 */
final class UtcTime {
    private UtcTime() {}

    static Argument of(Instant time) {
        LocalDateTime utc = LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
        return (position, statement, context) -> statement.setObject(position, utc);
    }

    /** Null for SQL NULL. */
    static Instant get(ResultSet row, String column) throws SQLException {
        LocalDateTime utc = row.getObject(column, LocalDateTime.class);
        return utc == null ? null : utc.toInstant(ZoneOffset.UTC);
    }
}
