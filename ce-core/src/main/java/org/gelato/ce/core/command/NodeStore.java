package org.gelato.ce.core.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** SQL of the running CE nodes. All methods work within the caller's transaction. */
public final class NodeStore {
    static final String INSERT =
            "INSERT INTO node (host, pid, started_at, heartbeat_at) VALUES (:host, :pid, :started, :now)";
    static final String ON_HOST = "SELECT id, host, pid, started_at FROM node WHERE host = :host";
    static final String BEAT = "UPDATE node SET heartbeat_at = :now WHERE id = :id";
    static final String DELETE = "DELETE FROM node WHERE id = :id";
    static final String DELETE_OLD = "DELETE FROM node WHERE heartbeat_at < :before";

    /** A process that works on this database, as it registered itself. */
    record Node(int id, String host, long pid, Instant startedAt) {}

    /** Registers this process; returns its number. */
    int register(Handle h, String host, long pid, Instant processStart, Instant now) {
        return h.createUpdate(INSERT)
                .bind("host", host)
                .bind("pid", pid)
                .bind("started", processStart)
                .bind("now", now)
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Integer.class)
                .one();
    }

    List<Node> onHost(Handle h, String host) {
        return h.createQuery(ON_HOST)
                .bind("host", host)
                .map((r, c) -> new Node(
                        r.getInt("id"),
                        r.getString("host"),
                        r.getLong("pid"),
                        r.getTimestamp("started_at").toInstant()))
                .list();
    }

    void beat(Handle h, int node, Instant now) {
        h.createUpdate(BEAT).bind("id", node).bind("now", now).execute();
    }

    void delete(Handle h, int node) {
        h.createUpdate(DELETE).bind("id", node).execute();
    }

    /** Forgets nodes without a sign of life for long; their claims have expired long before. */
    void deleteOlderThan(Handle h, Instant now, Duration age) {
        h.createUpdate(DELETE_OLD).bind("before", now.minus(age)).execute();
    }
}
