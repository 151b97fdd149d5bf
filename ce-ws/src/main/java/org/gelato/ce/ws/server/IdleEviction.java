package org.gelato.ce.ws.server;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses what is closed when all connections that there may be are open: kept connections would otherwise stop every other client until
 * their time is over.
 */
final class IdleEviction {
    /** A connection without a request for so long is idle: that of a new one is on its way. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    private IdleEviction() {}

    /**
     * The least recently used connection of the client that has most of them, of those that have a connection without a request. While
     * all of that client's are new, nobody else loses one.
     */
    static Optional<TrackedConnection> victim(Collection<TrackedConnection> all) {
        Map<Object, Integer> held = new HashMap<>();
        Map<Object, TrackedConnection> oldest = new HashMap<>();
        for (TrackedConnection connection : all) {
            if (connection.isOpen()) {
                Object holder = connection.holder();
                held.merge(holder, 1, Integer::sum);
                if (!connection.isInHandshake() && connection.waitsForRequest()) {
                    oldest.merge(holder, connection, (one, other) -> one.lastRead() <= other.lastRead() ? one : other);
                }
            }
        }
        return oldest.entrySet().stream()
                .max(Comparator.comparingInt(e -> held.get(e.getKey())))
                .map(Map.Entry::getValue)
                .filter(connection -> System.currentTimeMillis() - connection.lastRead() > IDLE.toMillis());
    }
}
