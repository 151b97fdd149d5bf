package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.fault.Messages;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions of the own account that hold rows of the own schema in a transaction in which nothing comes any more, where the server does
 * not do it: MySQL has no such limit. It shows transactions only to accounts with the right PROCESS; without that they end with their
 * connections ({@link SessionBounds#silent}). Thread-safe.
 */
public final class StalledSessions {
    /** Those that only read, as a backup does, hold nobody up. */
    private static final String STALLED = """
            SELECT t.trx_mysql_thread_id FROM information_schema.innodb_trx t
            JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
            WHERE p.command = 'Sleep' AND p.time >= :idle AND p.db = DATABASE()
              AND p.user = SUBSTRING_INDEX(CURRENT_USER(), '@', 1) AND p.id <> CONNECTION_ID()
              AND (t.trx_rows_locked > 0 OR t.trx_rows_modified > 0)
            """;

    private static final Logger log = LoggerFactory.getLogger(StalledSessions.class);

    private final Duration idle;
    private final boolean always;
    private volatile boolean unable;

    public StalledSessions() {
        this(SessionBounds.WORK.idle(), false);
    }

    /**
     * @param idle in which nothing comes; whole seconds
     * @param always also on a server that ends such transactions itself
     */
    StalledSessions(Duration idle, boolean always) {
        this.idle = idle;
        this.always = always;
    }

    /** Ends those that there are now; returns how many. */
    public int end(Handle h) {
        if (unable || !(always || isLeftToUs(h.getConnection()))) {
            return 0;
        }
        List<Long> stalled;
        try {
            stalled = h.createQuery(STALLED)
                    .bind("idle", idle.toSeconds())
                    .mapTo(Long.class)
                    .list();
        } catch (JdbiException e) {
            unable = true;
            log.info(
                    "Transactions in which nothing comes any more end with their connections, {} s later, as the CE can't see them; for an"
                            + " earlier end grant the CE's account PROCESS on *.*: {}",
                    SessionBounds.WORK.silent().toSeconds(),
                    Messages.of(e));
            return 0;
        }
        for (long session : stalled) {
            try {
                h.execute("KILL ?", session);
                log.warn(
                        "Session {} of the database is ended: it held rows, and nothing came in it for {} s",
                        session,
                        idle.toSeconds());
            } catch (JdbiException e) {
                log.debug("session {} has ended by itself: {}", session, Messages.of(e));
            }
        }
        return stalled.size();
    }

    private static boolean isLeftToUs(Connection connection) {
        try {
            return !connection.getMetaData().getDatabaseProductVersion().contains("MariaDB");
        } catch (SQLException e) {
            return false; // the next statement says what is wrong
        }
    }
}
