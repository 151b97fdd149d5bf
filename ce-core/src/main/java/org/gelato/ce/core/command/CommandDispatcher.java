package org.gelato.ce.core.command;

import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the command queue: claims due commands in batches, hands each to its executor, and lets the completer write the
 * outcomes. Woken at once when a command is inserted on this node; looks by itself every second for commands whose time
 * has come or that another node left. At most {@code maxInFlight} commands are claimed and not completed.
 *
 * <p>Three threads: claimer, completer, heartbeat. A crash leaves claims, which expire (see {@link NodeClaims}).
 */
public final class CommandDispatcher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CommandDispatcher.class);
    private static final int MAX_CLAIM = 100;
    private static final Duration IDLE_LOOK = Duration.ofSeconds(1);
    private static final Duration AFTER_DEFECT = Duration.ofMinutes(1);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofSeconds(1);

    private final Database database;
    private final CommandStore commands;
    private final CommandCompleter completer;
    private final Map<CommandKind, Execution> executions = new EnumMap<>(CommandKind.class);
    private final PurgeSandbox purge;
    private final Clock clock;
    private final String host;
    private final int maxInFlight;
    private final Semaphore free;
    private final Semaphore wakeups = new Semaphore(0);
    private final Runnable afterControl;
    private final ScheduledExecutorService heart;
    /** Commands this node has claimed and not completed, with the try that tells claims of one command apart. */
    private final Map<Long, Integer> held = new ConcurrentHashMap<>();

    private boolean claimInDoubt;
    private volatile boolean closing;
    private NodeClaims claims;
    private Thread claimer;
    private Thread completing;

    /** Executes commands of one kind; outcomes may come from any thread, each command must get exactly one. */
    @FunctionalInterface
    interface Execution {
        void execute(List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes);
    }

    /**
     * @param afterControl told when a cancel, hold or release went to the batch system, so that its effect is looked for
     *     soon
     */
    public CommandDispatcher(
            Database database,
            CommandStore commands,
            CommandCompleter completer,
            HandOver handOver,
            LrmsControl control,
            PurgeSandbox purge,
            Runnable afterControl,
            Clock clock,
            String host,
            int maxInFlight) {
        this.database = database;
        this.commands = commands;
        this.completer = completer;
        this.purge = purge;
        this.afterControl = afterControl;
        this.clock = clock;
        this.host = host;
        this.maxInFlight = maxInFlight;
        this.free = new Semaphore(maxInFlight);
        executions.put(CommandKind.JOB_START, handOver::execute);
        LrmsControl.kinds().forEach(kind -> executions.put(kind, control::execute));
        executions.put(CommandKind.JOB_PURGE, purge::execute);
        heart = Executors.newSingleThreadScheduledExecutor(r -> daemon(r, "command-heartbeat"));
    }

    /** Registers the node, takes back the claims of dead ones and starts the threads. */
    public void start() {
        claims = new NodeClaims(database, new NodeStore(), commands, clock, host);
        completing = daemon(() -> loop(() -> completer.runOnce(this::committed)), "command-completer");
        claimer = daemon(() -> loop(this::claim), "command-claimer");
        completing.start();
        claimer.start();
        long third = NodeClaims.CLAIM.toMillis() / 3;
        heart.scheduleWithFixedDelay(this::beat, third, third, TimeUnit.MILLISECONDS);
    }

    /** Something is due; never blocks. */
    public void wake() {
        wakeups.release();
    }

    /** Claimed and not completed. */
    public int inFlight() {
        return maxInFlight - free.availablePermits();
    }

    private void claim() throws InterruptedException {
        free.acquire();
        int room = 1;
        while (room < MAX_CLAIM && free.tryAcquire()) {
            room++;
        }
        int limit = room;
        List<ClaimedCommand> batch = List.of();
        try {
            if (claimInDoubt) {
                claims.returnUnheld(held.keySet());
                claimInDoubt = false;
            }
            batch = database.inTransaction(h -> {
                List<ClaimedCommand> due = commands.claim(h, claims.node(), limit, clock.instant(), NodeClaims.CLAIM);
                Steps.reached(due.isEmpty() ? null : Step.CLAIM_WRITTEN);
                return due;
            });
            batch.forEach(c -> held.put(c.id(), c.tries()));
        } catch (RuntimeException e) {
            claimInDoubt = true; // the commit may have reached the database and its answer not us
            throw e;
        } finally {
            free.release(limit - batch.size());
        }
        for (Map.Entry<CommandKind, Execution> e : executions.entrySet()) {
            List<ClaimedCommand> ofKind =
                    batch.stream().filter(c -> c.kind() == e.getKey()).toList();
            if (!ofKind.isEmpty()) {
                execute(e.getValue(), ofKind);
            }
        }
        batch.stream()
                .filter(c -> !executions.containsKey(c.kind()))
                .forEach(c -> completer.accept(new CommandOutcome.Failed(c, "this version does not know " + c.kind())));
        if (batch.isEmpty() && wakeups.tryAcquire(IDLE_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            wakeups.drainPermits();
        }
    }

    private void execute(Execution execution, List<ClaimedCommand> batch) {
        Set<Long> answered = ConcurrentHashMap.newKeySet();
        Consumer<CommandOutcome> once = outcome -> {
            if (answered.add(outcome.command().id())) {
                completer.accept(outcome);
            }
        };
        try {
            execution.execute(batch, once);
        } catch (RuntimeException e) {
            // A defect of ours must not leave commands claimed for ever; hand-overs are looked up before the next try.
            log.error("execution of {} failed", batch, e);
            batch.forEach(c -> once.accept(new CommandOutcome.Later(c, AFTER_DEFECT, false, e.toString())));
        }
    }

    private void committed(List<CommandOutcome> outcomes) {
        free.release(outcomes.size());
        outcomes.forEach(o -> held.remove(o.command().id(), o.command().tries()));
        boolean controlled = false;
        for (CommandOutcome o : outcomes) {
            if (o instanceof CommandOutcome.Purged p) {
                purge.removeTrash(p.command());
            } else if (o instanceof CommandOutcome.Later l && l.reason() != null) {
                log.warn("{} put off by {}: {}", l.command(), l.delay(), l.reason());
            } else if (o instanceof CommandOutcome.Refused r) {
                log.info("{} refused: {}", r.command(), r.reason());
            } else if (o instanceof CommandOutcome.Failed f) {
                log.info("{} failed: {}", f.command(), f.reason());
            }
            controlled |= o instanceof CommandOutcome.Done d
                    && LrmsControl.kinds().contains(d.command().kind());
        }
        if (controlled) {
            afterControl.run();
        }
        wake(); // the next commands of these jobs may have been promoted
    }

    private void beat() {
        try {
            int returned = claims.beat();
            if (returned > 0) {
                log.warn("{} claims expired and returned to the queue", returned);
                wake();
            }
        } catch (RuntimeException e) {
            log.warn("heartbeat failed, trying again: {}", e.toString());
        }
    }

    /** Work that a thread repeats until the end. */
    @FunctionalInterface
    private interface Round {
        void run() throws InterruptedException;
    }

    private void loop(Round round) {
        while (!closing) {
            try {
                round.run();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.warn("{} failed, trying again: {}", Thread.currentThread().getName(), e.toString(), e);
                try {
                    wakeups.tryAcquire(PAUSE_AFTER_ERROR.toMillis(), TimeUnit.MILLISECONDS);
                } catch (InterruptedException stop) {
                    return;
                }
            }
        }
    }

    private static Thread daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        return t;
    }

    @Override
    public void close() {
        closing = true;
        heart.shutdownNow();
        try {
            for (Thread t : new Thread[] {claimer, completing}) {
                if (t != null) {
                    t.interrupt();
                    t.join(TimeUnit.SECONDS.toMillis(5));
                }
            }
            if (claims != null) {
                claims.leave();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
