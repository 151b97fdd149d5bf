package org.gelato.ce.core.command;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.gelato.ce.core.base.LiveProcess;
import org.gelato.ce.core.base.PidNamespace;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.BatchSystemInstance;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's standing in the database: its row, its heartbeat, and the life of its claims. Claims of a node that died
 * return to the queue: at once when it ran on this host and its process is gone, after {@link #CLAIM} otherwise.
 *
 * <p>A name of a node has one process (docs/developer/decisions/0048). A key of the database keeps that, wherever the processes run; whether
 * the one that holds the name has died is known by its process where that can be seen, and by its heartbeat where it cannot, as from another
 * container: then its row is watched for {@link #CLAIM}. A process that was silent for so long, and lost its name, claims nothing until it
 * has one again.
 */
final class NodeClaims {
    /** How long a claim stands without renewal; the heartbeat renews at a third of it. */
    static final Duration CLAIM = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(NodeClaims.class);
    private static final Duration FORGET = Duration.ofDays(1);
    /** Without a heartbeat for so long no watch is needed, though the clocks of two hosts differ. */
    private static final Duration SURELY_DEAD = CLAIM.multipliedBy(2);

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int DUPLICATE = 1062;

    private final Database database;
    private final NodeStore nodes;
    private final CommandStore commands;
    private final Clock clock;
    private Work work;
    /** What is left to do since the batch system says which one it is, repeated while it fails; null for nothing. */
    private volatile Runnable learnt;
    /** What is left to do then, where another batch system has the jobs until this node enters again. */
    private Runnable whenEntered = () -> {};

    private final String host;
    private final LongSupplier nanos;
    private final Instant started;
    private final String namespace = PidNamespace.own();
    private final Map<Integer, Watch> watched = new HashMap<>();
    private volatile int node;
    private volatile String lost;

    /**
     * What this process works on.
     *
     * @param host name of the node
     * @param system its batch system; null where it does not say which one it is
     */
    record Work(String host, BatchSystemInstance system) {}

    /** Another's row as it was seen last, and since when it has been so. */
    private record Watch(Instant beat, long since) {}

    NodeClaims(Database database, NodeStore nodes, CommandStore commands, Clock clock, Work work) {
        this(database, nodes, commands, clock, work, System::nanoTime, () -> LockSupport.parkNanos(LOOK.toNanos()));
    }

    /**
     * @param pause between two looks at a row that is watched
     * @throws IllegalStateException when another process works under the name, or the jobs are in another batch system
     */
    NodeClaims(
            Database database,
            NodeStore nodes,
            CommandStore commands,
            Clock clock,
            Work work,
            LongSupplier nanos,
            Runnable pause) {
        this.database = database;
        this.nodes = nodes;
        this.commands = commands;
        this.clock = clock;
        this.work = work;
        this.host = work.host();
        this.nanos = nanos;
        started = ProcessHandle.current().info().startInstant().orElse(clock.instant());
        OptionalInt entered = enter();
        if (entered.isEmpty()) {
            log.warn(
                    "A CE worked under gelato.node {} lately, and its process cannot be seen from here: waiting up to {} s to"
                            + " see whether it still does",
                    host,
                    CLAIM.toSeconds());
        }
        while (entered.isEmpty()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while another CE of this name was waited for");
            }
            pause.run();
            entered = enter();
        }
        node = entered.getAsInt();
    }

    /**
     * Registers this process, and takes the claims of dead ones of its name.
     *
     * @return empty while it is not known whether another one lives
     * @throws IllegalStateException when another one does
     */
    private OptionalInt enter() {
        try {
            return database.inTransaction(this::enter);
        } catch (RuntimeException e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                if (t instanceof SQLException sql && sql.getErrorCode() == DUPLICATE) {
                    return OptionalInt.empty(); // one that starts at the same time was first
                }
            }
            throw e;
        }
    }

    private OptionalInt enter(Handle h) {
        long me = ProcessHandle.current().pid();
        List<Integer> dead = new ArrayList<>();
        boolean second = false;
        boolean unknown = false;
        for (NodeStore.Node other : nodes.onHost(h, host)) {
            boolean here = other.namespace() == null || other.namespace().equals(namespace);
            boolean alive = here && LiveProcess.isThatOf(other.pid(), other.startedAt());
            // Where its process may be alive its heartbeat decides.
            boolean seen = here
                    && (alive || other.namespace() == null || LiveProcess.hasEnded(other.pid(), other.startedAt()));
            if (alive && other.pid() == me) {
                second = true;
            } else if (alive || (!seen && beats(other))) {
                throw new IllegalStateException(
                        "another CE works with this database as gelato.node " + host + ", process "
                                + other.pid() + (here ? "" : " of another container or machine")
                                + ": stop it, or give each CE a gelato.node of its own");
            } else if (seen || isSilent(other)) {
                dead.add(other.id());
            } else {
                unknown = true;
            }
        }
        if (unknown) {
            return OptionalInt.empty();
        }
        takeQueues(h, dead);
        int released = commands.releaseNodes(h, dead);
        dead.forEach(id -> nodes.delete(h, id));
        if (released > 0) {
            log.info("{} commands claimed by a node that died on this host return to the queue", released);
        }
        return OptionalInt.of(
                nodes.register(h, host, new NodeStore.Running(me, namespace, started), clock.instant(), !second));
    }

    /** Those of other names that were silent when the queues became another batch system's have to enter again: they are added to the dead. */
    private void takeQueues(Handle h, List<Integer> dead) {
        if (work.system() == null) {
            return;
        }
        Instant silent = clock.instant().minus(SURELY_DEAD);
        List<NodeStore.Node> others = nodes.elsewhere(h, host);
        List<String> living = others.stream()
                .filter(other -> !other.heartbeatAt().isBefore(silent))
                .map(NodeStore.Node::host)
                .distinct()
                .toList();
        if (work.system().take(h, living)) {
            others.forEach(other -> dead.add(other.id()));
            log.info(
                    "The queues of {} are those of the batch system {} from now on",
                    work.system().lrms(),
                    work.system().identity());
        }
    }

    /** Whether a row has changed since the last look: one that beat once may have died since. */
    private boolean beats(NodeStore.Node other) {
        Watch last = watched.get(other.id());
        boolean same = last != null && last.beat().equals(other.heartbeatAt());
        if (!same) {
            watched.put(other.id(), new Watch(other.heartbeatAt(), nanos.getAsLong()));
        }
        return last != null && !same;
    }

    private boolean isSilent(NodeStore.Node other) {
        return other.heartbeatAt().isBefore(clock.instant().minus(SURELY_DEAD))
                || nanos.getAsLong() - watched.get(other.id()).since() >= CLAIM.toNanos();
    }

    int node() {
        return node;
    }

    /** Why this process may claim nothing now; null when it may. */
    String lost() {
        return lost;
    }

    /** The batch system says only now which one it is: the next beat takes the queues for it. */
    void learnt(BatchSystemInstance system, Runnable taken) {
        learnt = () -> takeUp(system, taken);
    }

    /** One that has not got the jobs leaves; it enters again, and works, when nothing is in the way any more. */
    private void takeUp(BatchSystemInstance system, Runnable taken) {
        work = new Work(host, system);
        try {
            database.inTransaction(h -> {
                List<Integer> dead = new ArrayList<>();
                takeQueues(h, dead);
                dead.forEach(id -> nodes.delete(h, id));
                return commands.releaseNodes(h, dead);
            });
        } catch (IllegalStateException e) {
            refused(Messages.of(e));
            whenEntered = taken;
            leave();
            return;
        }
        taken.run();
    }

    /** Shows the others that this node lives, and returns the claims of those that do not. Returns how many. */
    int beat() {
        int expired = heartbeat();
        Runnable left = learnt;
        if (left != null && lost == null) {
            left.run();
            learnt = null;
        }
        return expired;
    }

    private int heartbeat() {
        Instant now = clock.instant();
        int expired;
        try {
            expired = database.inTransaction(h -> {
                if (!nodes.beat(h, node, now)) {
                    return -1;
                }
                commands.renewClaims(h, node, now.plus(CLAIM));
                nodes.deleteOlderThan(h, now, FORGET);
                return commands.expireClaims(h, now);
            });
        } catch (RuntimeException e) {
            if (!Database.isPassing(e) || Database.isOfAll(e)) {
                throw e;
            }
            expired = beatBesideLocks(now);
        }
        if (expired < 0) {
            enterAgain();
            return 0;
        }
        lost = null;
        return expired;
    }

    /** A command whose row another session holds must not cost the node its other claims. */
    private int beatBesideLocks(Instant now) {
        if (!database.inTransaction(h -> nodes.beat(h, node, now))) {
            return -1;
        }
        database.inTransaction(h -> commands.renewFreeClaims(h, node, now.plus(CLAIM)));
        return database.inTransaction(h -> commands.expireFreeClaims(h, now));
    }

    /** The row is gone: this process was silent for so long that another one took it for dead. */
    private void enterAgain() {
        String why;
        try {
            OptionalInt entered = enter();
            if (entered.isPresent()) {
                node = entered.getAsInt();
                lost = null;
                watched.clear();
                whenEntered.run();
                whenEntered = () -> {};
                log.warn("This CE works under gelato.node {} again", host);
                return;
            }
            why = "another CE took gelato.node " + host + ", as this one showed no life for a minute";
        } catch (IllegalStateException e) {
            why = Messages.of(e);
        }
        refused(why);
    }

    private void refused(String why) {
        if (lost == null) {
            log.error("This CE executes no commands: {}", why);
        }
        lost = why;
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
