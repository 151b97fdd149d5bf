package org.gelato.ce.core.command;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.process.LiveProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's standing in the database: its row, its heartbeat, and the life of its claims. Claims of a node that died
 * return to the queue: at once when it ran on this host and its process is gone, after {@link #CLAIM} otherwise.
 */
final class NodeClaims {
    /** How long a claim stands without renewal; the heartbeat renews at a third of it. */
    static final Duration CLAIM = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(NodeClaims.class);
    private static final Duration FORGET = Duration.ofDays(1);

    private final Database database;
    private final NodeStore nodes;
    private final CommandStore commands;
    private final Clock clock;
    private final int node;

    NodeClaims(Database database, NodeStore nodes, CommandStore commands, Clock clock, String host) {
        this.database = database;
        this.nodes = nodes;
        this.commands = commands;
        this.clock = clock;
        ProcessHandle me = ProcessHandle.current();
        Instant started = me.info().startInstant().orElse(clock.instant());
        node = database.inTransaction(h -> {
            List<Integer> dead = nodes.onHost(h, host).stream()
                    .filter(n -> !LiveProcess.isThatOf(n.pid(), n.startedAt()))
                    .map(NodeStore.Node::id)
                    .toList();
            int released = commands.releaseNodes(h, dead);
            dead.forEach(id -> nodes.delete(h, id));
            if (released > 0) {
                log.info("{} commands claimed by a node that died on this host return to the queue", released);
            }
            return nodes.register(h, host, me.pid(), started, clock.instant());
        });
    }

    int node() {
        return node;
    }

    /** Shows the others that this node lives, and returns the claims of those that do not. Returns how many. */
    int beat() {
        return database.inTransaction(h -> {
            Instant now = clock.instant();
            nodes.beat(h, node, now);
            commands.renewClaims(h, node, now.plus(CLAIM));
            nodes.deleteOlderThan(h, now, FORGET);
            return commands.expireClaims(h, now);
        });
    }

    /** Leaves in order: what is claimed still returns to the queue at once. */
    void leave() {
        database.inTransaction(h -> {
            int left = commands.releaseNodes(h, List.of(node));
            nodes.delete(h, node);
            return left;
        });
    }
}
