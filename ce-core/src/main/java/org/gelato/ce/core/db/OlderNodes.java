package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.gelato.ce.core.base.LiveProcess;
import org.gelato.ce.core.fault.Manual;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes at work by older software while a start is to change the schema below them: it waits for their end, and refuses to go on
 * without. Versions that older software works beside are no reason to wait ({@link SchemaScripts#BESIDE_OLDER}).
 */
final class OlderNodes {
    /** A node without a heartbeat for so long has ended, and nobody has its claims. */
    static final Duration SILENT = Duration.ofMinutes(1);

    static final Duration PATIENCE = SILENT.plusSeconds(15);

    static final String AT_WORK =
            "SELECT host, pid, started_at, heartbeat_at FROM node WHERE heartbeat_at > ? ORDER BY heartbeat_at";

    private static final Logger log = LoggerFactory.getLogger(OlderNodes.class);
    private static final Duration BETWEEN = Duration.ofSeconds(1);

    private final DataSource source;
    private final Clock clock;
    private final String host;
    private final Duration patience;

    /** @param host of this node, whose processes are known to have ended when they are gone; empty when unknown */
    OlderNodes(DataSource source, Clock clock, String host, Duration patience) {
        this.source = source;
        this.clock = clock;
        this.host = host;
        this.patience = patience;
    }

    /**
     * Waits until none is at work.
     *
     * @throws IllegalStateException when one still is; nothing was changed
     */
    void awaitEnd(long from, long to) {
        long begin = System.nanoTime();
        for (boolean first = true; ; first = false) {
            List<String> working = working();
            if (working.isEmpty()) {
                return;
            }
            String what = "the database's schema is to be brought from version " + from + " to " + to + ", and "
                    + String.join(", ", working) + " works with it by older software";
            if (System.nanoTime() - begin >= patience.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException(what + ": stop the CE there, then start this one ("
                        + Manual.page("docs/admin/upgrade.md") + ")");
            }
            if (first) {
                log.warn("Waiting up to {} s: {}", patience.toSeconds(), what);
            }
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
    }

    private List<String> working() {
        List<String> found = new ArrayList<>();
        try (Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(AT_WORK)) {
            query.setTimestamp(1, Timestamp.from(clock.instant().minus(SILENT)));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    Instant started = row.getTimestamp("started_at").toInstant();
                    if (!row.getString("host").equals(host) || !LiveProcess.hasEnded(row.getLong("pid"), started)) {
                        found.add(row.getString("host") + " (process " + row.getLong("pid") + ", last sign of life "
                                + row.getTimestamp("heartbeat_at").toInstant() + ")");
                    }
                }
            }
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the nodes at work cannot be read: " + e.getMessage(), e);
        }
        return found;
    }
}
