package org.gelato.ce.core.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** SQL of the running CE nodes. All methods work within the caller's transaction. */
public final class NodeStore {
    static final String INSERT = "INSERT INTO node (host, pid, pid_namespace, started_at, heartbeat_at, held_name)"
            + " VALUES (:host, :pid, :namespace, :started, :now, :held)";
    static final String ON_HOST =
            "SELECT id, host, pid, pid_namespace, started_at, heartbeat_at FROM node WHERE host = :host";
    static final String ELSEWHERE =
            "SELECT id, host, pid, pid_namespace, started_at, heartbeat_at FROM node WHERE host <> :host";
    static final String BEAT = "UPDATE node SET heartbeat_at = :now WHERE id = :id";
    static final String DELETE = "DELETE FROM node WHERE id = :id";
    static final String DELETE_OLD = "DELETE FROM node WHERE heartbeat_at < :before";

    /**
     * A process that works on this database, as it registered itself.
     *
     * @param namespace in which its process number means something; null when unknown
     */
    record Node(int id, String host, long pid, String namespace, Instant startedAt, Instant heartbeatAt) {}

    /** A process, as others can recognise it. */
    record Running(long pid, String namespace, Instant started) {}

    /**
     * Registers this process; returns its number.
     *
     * @param holds whether it takes the name, which no other row may have then
     */
    int register(Handle h, String host, Running process, Instant now, boolean holds) {
        return h.createUpdate(INSERT)
                .bind("host", host)
                .bind("pid", process.pid())
                .bind("namespace", process.namespace())
                .bind("started", process.started())
                .bind("now", now)
                .bind("held", holds ? host : null)
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Integer.class)
                .one();
    }

    List<Node> onHost(Handle h, String host) {
        return nodes(h, ON_HOST, host);
    }

    /** Those of other names. */
    List<Node> elsewhere(Handle h, String host) {
        return nodes(h, ELSEWHERE, host);
    }

    private static List<Node> nodes(Handle h, String query, String host) {
        return h.createQuery(query)
                .bind("host", host)
                .map((r, c) -> new Node(
                        r.getInt("id"),
                        r.getString("host"),
                        r.getLong("pid"),
                        r.getString("pid_namespace"),
                        r.getTimestamp("started_at").toInstant(),
                        r.getTimestamp("heartbeat_at").toInstant()))
                .list();
    }

    /** Returns false when the row is gone. */
    boolean beat(Handle h, int node, Instant now) {
        return h.createUpdate(BEAT).bind("id", node).bind("now", now).execute() == 1;
    }

    void delete(Handle h, int node) {
        h.createUpdate(DELETE).bind("id", node).execute();
    }

    /** Forgets nodes without a sign of life for long; their claims have expired long before. */
    void deleteOlderThan(Handle h, Instant now, Duration age) {
        h.createUpdate(DELETE_OLD).bind("before", now.minus(age)).execute();
    }
}
