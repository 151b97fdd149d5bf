package org.gelato.ce.core.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;

/**
 * Times of DATETIME(6) columns. As parameters they are text in UTC, cut to microseconds where driver and server would round.
 * Registered by {@link Database} for every statement. Text, because the driver takes a MariaDB before 11, whose greeting
 * begins with "5.5.5-", for a MySQL without fractions of seconds and would drop them from times it formats itself.
 * Stateless, thread-safe.
 */
public final class SqlTime extends AbstractArgumentFactory<Instant> {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    SqlTime() {
        super(Types.TIMESTAMP);
    }

    @Override
    protected Argument build(Instant time, ConfigRegistry config) {
        return of(time);
    }

    /** A parameter of its own, for statements prepared elsewhere. */
    public static Argument of(Instant time) {
        String text = FORMAT.format(time);
        return (position, statement, context) -> statement.setString(position, text);
    }

    /** A time of a result, whatever time zone JVM and connection have; null for SQL NULL. */
    public static Instant get(ResultSet row, String column) throws SQLException {
        return instant(row.getObject(column, LocalDateTime.class));
    }

    /** The same by the column's position, from 1. */
    public static Instant get(ResultSet row, int column) throws SQLException {
        return instant(row.getObject(column, LocalDateTime.class));
    }

    private static Instant instant(LocalDateTime utc) {
        return utc == null ? null : utc.toInstant(ZoneOffset.UTC);
    }
}
