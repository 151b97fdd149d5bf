package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/**
 * How long a session may keep others waiting, and wait itself. A process that is stopped, swapped out or cut off from the network has
 * connections on which nothing comes any more, and the server keeps their locks: by default for hours. Every connection of the CE has
 * these bounds, set once when it is opened.
 *
 * <p>MariaDB ends a transaction in which nothing comes. MySQL has no such limit: there a CE with the right to see them ends
 * such transactions ({@link StalledSessions}), and a session ends in which nothing comes at all; the pool sends a sign of life on those that
 * are not in use.
 *
 * @param lock longest wait for a lock of a row or a table; whole seconds, as all of them
 * @param idle longest time in which nothing comes within a transaction, or nothing goes on within a message
 * @param silent longest time in which nothing comes on a connection
 * @param response longest wait for the server's response to a statement
 */
public record SessionBounds(Duration lock, Duration idle, Duration silent, Duration response) {
    /** Between two signs of life on a connection that is not in use: the shortest that the pool knows. */
    public static final Duration PING = Duration.ofSeconds(30);

    /** Of all work: a transaction of the CE waits for nothing but the database. */
    public static final SessionBounds WORK = new SessionBounds(
            Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(45), Duration.ofMinutes(1));

    /** Of changes of the schema, which others wait for anyway. */
    public static final SessionBounds SCHEMA =
            new SessionBounds(Duration.ofMinutes(1), Duration.ofHours(6), Duration.ofHours(6), Duration.ofHours(6));

    /** Properties of a connection with these bounds. */
    public Properties with(Properties others) {
        Properties all = new Properties();
        all.putAll(others);
        all.setProperty("socketTimeout", Long.toString(response.toMillis()));
        return all;
    }

    /** Sets the bounds that the server keeps. */
    public void set(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = " + lock.toSeconds()
                    + ", SESSION lock_wait_timeout = " + lock.toSeconds()
                    + ", SESSION net_read_timeout = " + idle.toSeconds()
                    + ", SESSION net_write_timeout = " + idle.toSeconds()
                    + ", SESSION wait_timeout = " + silent.toSeconds()
                    // A comment for MySQL, which has no such variable.
                    + " /*M! , SESSION idle_transaction_timeout = " + idle.toSeconds() + " */");
        }
    }
}
