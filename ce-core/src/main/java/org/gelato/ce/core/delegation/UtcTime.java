package org.gelato.ce.core.delegation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.gelato.ce.core.db.SqlTime;
import org.jdbi.v3.core.argument.Argument;

/**
 * Times of DATETIME(6) columns, UTC, cut to microseconds where the server would round. They travel as text and come back as
 * LocalDateTime, so that no time zone setting of the JVM or the connection matters. Pure.
 */
final class UtcTime {
    private UtcTime() {}

    static Argument of(Instant time) {
        return SqlTime.of(time);
    }

    /** Null for SQL NULL. */
    static Instant get(ResultSet row, String column) throws SQLException {
        LocalDateTime utc = row.getObject(column, LocalDateTime.class);
        return utc == null ? null : utc.toInstant(ZoneOffset.UTC);
    }
}
