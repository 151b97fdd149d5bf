package org.gelato.ce.core.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
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
    private static final int YEAR_DIGITS = 4;
    private static final int MAX_YEAR = 9999;
    private static final int MICRO_DIGITS = 6;
    private static final int NANOS_PER_MICRO = 1000;

    SqlTime() {
        super(Types.TIMESTAMP);
    }

    @Override
    protected Argument build(Instant time, ConfigRegistry config) {
        return of(time);
    }

    /** A parameter of its own, for statements prepared elsewhere. */
    public static Argument of(Instant time) {
        String text = text(time);
        return (position, statement, context) -> statement.setString(position, text);
    }

    /**
     * What a formatter would write, for a tenth of its cost: most statements have times, and each message has two.
     *
     * @throws IllegalArgumentException for a year that has no four digits
     */
    static String text(Instant time) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        if (utc.getYear() < 0 || utc.getYear() > MAX_YEAR) {
            throw new IllegalArgumentException("no column can hold the time " + time);
        }
        StringBuilder text = new StringBuilder("0000-00-00 00:00:00.000000");
        // From the last digit of each to its first; a year has four.
        put(text, YEAR_DIGITS - 1, YEAR_DIGITS, utc.getYear());
        put(text, 6, 2, utc.getMonthValue());
        put(text, 9, 2, utc.getDayOfMonth());
        put(text, 12, 2, utc.getHour());
        put(text, 15, 2, utc.getMinute());
        put(text, 18, 2, utc.getSecond());
        put(text, 25, MICRO_DIGITS, utc.getNano() / NANOS_PER_MICRO);
        return text.toString();
    }

    private static void put(StringBuilder text, int last, int digits, int value) {
        int rest = value;
        for (int i = 0; i < digits; i++) {
            text.setCharAt(last - i, (char) ('0' + rest % 10));
            rest /= 10;
        }
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
