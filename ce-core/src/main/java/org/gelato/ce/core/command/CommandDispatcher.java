package org.gelato.ce.core.command;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.gelato.ce.core.base.ClockSteps;
import org.gelato.ce.core.command.CommandOutcome.Later;
import org.gelato.ce.core.db.CommitInDoubtException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.StalledSessions;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.BatchSystemInstance;
import org.gelato.ce.core.route.RouteQueues;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs the command queue: claims due commands in batches, hands each to its executor, and lets the completer write the
 * outcomes. {@link ClaimTrigger} decides when it queries for them, {@link ClaimBudgets} how many of each lane may be
 * claimed and not completed; a lane without room is not queried. While nothing waits in its lane, a command may be
 * claimed by the transaction that inserts it.
 *
 * <p>Four threads: claimer, completer, heartbeat, count of jobs that wait. A crash leaves claims, which expire (see {@link NodeClaims}).
 */
public final class CommandDispatcher implements AutoCloseable, DirectClaims {
    private static final Logger log = LoggerFactory.getLogger(CommandDispatcher.class);
    private static final Duration DUE_AGAIN = Duration.ofSeconds(2);
    private static final Duration AFTER_DEFECT = Duration.ofMinutes(1);
    /** Longer than any request to the helper or the batch system may take, the removal of trees apart. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    /** Longer than commands of a batch system take where nothing pauses. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofSeconds(1);
    /** Of commands that are put off together, those with a line in the log. */
    private static final int MAX_LINES = 10;

    private final Database database;
    private final CommandStore commands;
    private final CommandCompleter completer;
    private final Map<CommandKind, Execution> executions = new EnumMap<>(CommandKind.class);
    private final LargeDescriptions descriptions;
    private final LrmsControl control;
    private final PurgeSandbox purge;
    private final Clock clock;
    private final String host;
    private final Map<String, SubmissionThrottle> throttles;
    private final ClaimBudgets lanes;
    private final ScopedPauses pauses;
    private final RouteQueues queues;
    private final WaitingJobs waiting;
    /** Claims that are executed, whose outcomes have not come. */
    private final Set<ClaimedCommand> executed = ConcurrentHashMap.newKeySet();

    private final ClaimTrigger trigger = new ClaimTrigger();
    private final StalledSessions stalled = new StalledSessions();
    private final ScheduledExecutorService heart;
    private volatile boolean closing;
    private final ClockSteps steps;
    /** By how much the clock was set back, as far as the database does not know; of the claimer. */
    private Duration setBack = Duration.ZERO;

    private long lookedAgain = System.nanoTime() - DUE_AGAIN.toNanos();
    private volatile NodeClaims claims;
    /** Whether the claimer's next query is for commands of all lanes; its own. */
    private boolean everywhere = true;

    private Thread claimer;
    private Thread completing;

    /** Executes commands of one kind; outcomes may come from any thread, each command must get exactly one. */
    @FunctionalInterface
    interface Execution {
        void execute(List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes);
    }

    /** What executes commands, by what is done: a hand-over, a control of a job in the batch system, a purge. */
    public record CommandExecutors(HandOver handOver, LrmsControl control, PurgeSandbox purge) {}

    /**
     * @param host name of this node among those that share the database
     * @param maxInFlight commands of one batch system or kind that are claimed and not completed, all together
     */
    public CommandDispatcher(
            Database database,
            CommandStore commands,
            CommandCompleter completer,
            CommandExecutors executors,
            Clock clock,
            String host,
            int maxInFlight) {
        this(database, commands, completer, executors, clock, host, maxInFlight, System::nanoTime);
    }

    /** @param ticker nanoseconds from any beginning, by which the times of executions are measured */
    public CommandDispatcher(
            Database database,
            CommandStore commands,
            CommandCompleter completer,
            CommandExecutors executors,
            Clock clock,
            String host,
            int maxInFlight,
            LongSupplier ticker) {
        this.database = database;
        this.commands = commands;
        this.completer = completer;
        this.control = executors.control();
        this.purge = executors.purge();
        this.clock = clock;
        this.host = host;
        this.steps = new ClockSteps(clock, System::nanoTime);
        this.throttles = executors.handOver().throttles();
        this.queues = executors.handOver().queues();
        this.lanes = new ClaimBudgets(throttles, queues, maxInFlight, ticker);
        this.pauses = lanes.pauses();
        this.waiting = new WaitingJobs(database, throttles, queues, trigger::freed, System::nanoTime);
        this.descriptions = new LargeDescriptions(
                (batch, outcomes) -> executors.handOver().execute(batch, control.ofStarts(outcomes)),
                c -> database.read(h -> commands.text(h, c.job().id())),
                LargeDescriptions.ofHeap());
        executions.put(CommandKind.JOB_START, descriptions);
        LrmsControl.kinds().forEach(kind -> executions.put(kind, control::execute));
        executions.put(CommandKind.JOB_PURGE, purge::execute);
        heart = Executors.newSingleThreadScheduledExecutor(r -> daemon(r, "command-heartbeat"));
    }

    /**
     * Registers the node, takes back the claims of dead ones, and writes outcomes from now on. Once.
     *
     * @param system the batch system; null where it does not say which one it is
     * @throws IllegalStateException when another process has the node's name, or the jobs are in another batch system
     */
    public void start(BatchSystemInstance system) {
        claims = new NodeClaims(database, new NodeStore(), commands, clock, new NodeClaims.Work(host, system));
        database.change(h -> {
            lanes.serve(commands.lanes().everyLrms(h));
            inTurn().forEach(lane -> commands.lanes().followTurns(h, lane));
        });
        throttles.forEach((lrms, throttle) -> throttle.onRoom(trigger::freed, () -> lanes.mayWait(lrms)));
        pauses.onRoom(trigger::freed);
        completing = daemon(() -> loop(() -> completer.runOnce(this::committed, this::wake)), "command-completer");
        completing.start();
        long third = NodeClaims.CLAIM.toMillis() / 3;
        heart.scheduleWithFixedDelay(Repeated.of("heartbeat", this::beat), third, third, TimeUnit.MILLISECONDS);
    }

    /**
     * The batch system did not say which one it is when this was started, and says it now.
     *
     * @param taken run when the queues are taken for it, or this node executes nothing until they can be
     */
    public void learnt(BatchSystemInstance system, Runnable taken) {
        claims.learnt(system, taken);
        heart.execute(Repeated.of("heartbeat", this::beat));
    }

    /** Begins to claim; from its first query on transactions may claim what they insert. Once, after {@link #start}. */
    public void work() {
        findPauses();
        claimer = daemon(() -> loop(this::claim), "command-claimer");
        claimer.start();
        heart.execute(() ->
                quietly("turns", h -> inTurn().forEach(l -> commands.lanes().recallTurns(h, l))));
        waiting.start();
    }

    /** Lanes in which owners take turns. */
    private List<String> inTurn() {
        return Stream.concat(throttles.keySet().stream().map(Lane::handOver), Stream.of(Lane.CONTROL, Lane.PURGE))
                .toList();
    }

    /** Something is due; never blocks. */
    public void wake() {
        trigger.queued();
    }

    /** How much each batch system is given at once, by name. */
    public Map<String, SubmissionThrottle> throttles() {
        return throttles;
    }

    /** Pauses of single accounts and queues. */
    public ScopedPauses pauses() {
        return pauses;
    }

    /** For how long all places of a lane have been taken while nothing of it was completed, by lane; of those for which that is too long. */
    public Map<String, Duration> stuckLanes() {
        return lanes.stuck(STUCK);
    }

    /** Jobs that wait in the batch systems, as limits by them see them. */
    WaitingJobs waiting() {
        return waiting;
    }

    /** That limits by jobs that wait in the batch system hold by an old count, for an administrator; empty when they do not. */
    public Optional<String> uncounted() {
        return waiting.trouble();
    }

    /** Why this node executes no commands, for an administrator: another CE has its name, or its jobs. Empty when it does. */
    public Optional<String> lostName() {
        NodeClaims own = claims;
        return Optional.ofNullable(own == null ? null : own.lost());
    }

    /** Claimed and not completed. */
    public int inFlight() {
        return lanes.inFlight();
    }

    /** Takes room for commands that are about to be inserted, as long as nothing waits for it. */
    @Override
    public Optional<Reservation> reserve(CommandKind kind, int count) {
        NodeClaims own = claims;
        Execution execution = executions.get(kind);
        if (closing || own == null || own.lost() != null || execution == null) {
            return Optional.empty();
        }
        Instant expires = clock.instant().plus(NodeClaims.CLAIM);
        return lanes.reserve(kind, count).map(places -> new Reserved(execution, places, own.node(), expires));
    }

    @Override
    public Hold hold(CommandKind kind) {
        return lanes.hold(kind, this::wake);
    }

    /** Room for commands that are claimed by the transaction that inserts them. */
    private final class Reserved implements Reservation {
        private final Execution execution;
        private final ClaimBudgets.Places places;
        private final int node;
        private final Instant expires;

        Reserved(Execution execution, ClaimBudgets.Places places, int node, Instant expires) {
            this.execution = execution;
            this.places = places;
            this.node = node;
            this.expires = expires;
        }

        @Override
        public int node() {
            return node;
        }

        @Override
        public Instant expires() {
            return expires;
        }

        @Override
        public void execute(List<ClaimedCommand> commands) {
            places.taken(commands);
            if (!commands.isEmpty()) {
                CommandDispatcher.this.execute(execution, commands);
            }
        }

        @Override
        public void doubt(List<ClaimedCommand> commands) {
            places.taken(commands);
            putBack(commands);
        }

        @Override
        public void release() {
            places.taken(List.of());
        }
    }

    private void claim() throws InterruptedException {
        everywhere |= queueAgain();
        Map<String, Integer> room = lanes.room(everywhere);
        CommandStore.Claim claim = room.isEmpty() || claims.lost() != null ? CommandStore.Claim.NOTHING : claimed(room);
        lanes.looked(room, everywhere, claim);
        // What was set aside comes before what was not: a place of theirs may be taken by either.
        List<ClaimedCommand> batch = claim.commands().stream()
                .sorted(Comparator.comparing(c -> !PauseScope.isOne(c.lane())))
                .toList();
        for (Map.Entry<CommandKind, Execution> e : executions.entrySet()) {
            List<ClaimedCommand> ofKind =
                    batch.stream().filter(c -> c.kind() == e.getKey()).toList();
            if (!ofKind.isEmpty()) {
                execute(e.getValue(), ofKind);
            }
        }
        batch.stream()
                .filter(c -> !executions.containsKey(c.kind()))
                .forEach(c -> store(new CommandOutcome.Failed(c, "this version does not know " + c.kind())));
        if (!batch.isEmpty()) {
            trigger.found();
        }
        everywhere = trigger.await(lanes::hasRoomUnread, this::soonest);
    }

    private CommandStore.Claim claimed(Map<String, Integer> room) {
        List<ClaimedCommand> due = new ArrayList<>();
        CommandStore.Claim claim;
        try {
            claim = database.inTransaction(h -> {
                due.clear(); // the victim of a deadlock runs again
                CommandStore.Claim found = commands.claim(h, claims.node(), room, clock.instant(), NodeClaims.CLAIM);
                due.addAll(found.commands());
                Steps.reached(
                        due.isEmpty() ? null : Step.CLAIM_WRITTEN,
                        due,
                        c -> c.job().id());
                return found;
            });
        } catch (CommitInDoubtException e) {
            due.forEach(lanes::claimed);
            putBack(due);
            throw e;
        }
        due.forEach(lanes::claimed);
        return claim;
    }

    /**
     * Puts commands back that may have been claimed: nothing was done under this claim, and the heartbeat would keep the claims
     * alive for ever. It changes nothing where the claim was not committed.
     */
    private void putBack(List<ClaimedCommand> commands) {
        commands.forEach(c -> store(Later.undone(c, Duration.ZERO, "its claim may not have been committed")));
    }

    /** When a batch system for which commands wait may have room without reporting it; null for never. */
    private Duration soonest() {
        return Stream.concat(
                        throttles.entrySet().stream()
                                .filter(e -> lanes.mayWait(e.getKey()))
                                .map(e -> e.getValue().untilNextClaim()),
                        Stream.ofNullable(pauses.untilNextClaim()))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** What was put off comes back when its time has come, also while the queue is never empty; whether something did. */
    private boolean queueAgain() {
        long tick = System.nanoTime();
        if (tick - lookedAgain < DUE_AGAIN.toNanos()) {
            return false;
        }
        giveUp();
        Instant now = clock.instant();
        Duration forward = steps.forward();
        setBack = forward.isNegative() ? setBack.minus(forward) : setBack;
        if (!setBack.isZero()) {
            clockSetBack(now);
        }
        // A full slice may have left some: those are next time's first.
        int queued = database.inTransaction(h -> commands.queueAgain(h, now));
        lookedAgain = tick;
        return queued > 0;
    }

    /** A row of it that another session holds must not keep from claims; it is tried again. */
    private void clockSetBack(Instant now) {
        Duration back = setBack;
        try {
            int moved = database.inTransaction(h -> commands.clockSetBack(h, now, back));
            setBack = Duration.ZERO;
            log.warn(
                    "The clock of this host was set back by {} s; {} commands that were put off are tried as much earlier",
                    back.toSeconds(),
                    moved);
        } catch (RuntimeException e) {
            if (Database.isOfAll(e)) {
                throw e;
            }
            log.debug("what was put off before the clock was set back is not moved yet: {}", Messages.of(e));
        }
    }

    private void execute(Execution execution, List<ClaimedCommand> batch) {
        List<ClaimedCommand> now = new ArrayList<>();
        for (ClaimedCommand c : batch) {
            CommandOutcome postponed = isNew(c) ? pauses.enter(c) : null;
            if (postponed == null) {
                executed.add(c);
                now.add(c);
            } else {
                store(postponed);
            }
        }
        if (now.isEmpty()) {
            return;
        }
        try {
            execution.execute(now, this::ended);
        } catch (RuntimeException | Error e) {
            // A defect of ours must not leave commands claimed for ever; hand-overs are looked up before the next try.
            log.error("execution of {} failed", now, e);
            now.forEach(c -> ended(Later.retry(c, AFTER_DEFECT, Messages.of(e))));
        }
    }

    /** Whether something is done to the batch system or a sandbox; not where the fate of a hand-over is looked up. */
    private static boolean isNew(ClaimedCommand c) {
        return c.kind() != CommandKind.JOB_START || (!c.lookUpFirst() && c.job().state() == JobState.PENDING);
    }

    /** The first outcome of an execution is the one that counts. */
    private void ended(CommandOutcome outcome) {
        if (executed.remove(outcome.command())) {
            descriptions.release(outcome.command());
            store(pauses.settled(outcome));
        }
    }

    /** Nothing is missing of a command any more but that the database takes this. */
    private void store(CommandOutcome outcome) {
        lanes.answered(outcome.command());
        completer.accept(outcome);
    }

    /** What has had no result for longer than any may take gets none: its fate is unknown. */
    private void giveUp() {
        for (ClaimedCommand c : lanes.longerThan(LONGEST)) {
            ended(Later.retry(
                    c, AFTER_DEFECT, "no result within " + LONGEST.toMinutes() + " minutes; its fate is unknown"));
        }
    }

    /** What other processes set aside, or this one before it was started again. */
    private void findPauses() {
        quietly("lanes of pauses", h -> commands.lanes().paused(h).forEach(pauses::waits));
    }

    private void committed(List<CommandOutcome> outcomes) {
        boolean room = false;
        // Before all that can fail: a place that is not given back is lost until the next start.
        for (CommandOutcome o : outcomes) {
            if (o instanceof Later l && l.lane() != null) {
                pauses.waits(l);
            }
            queues.completed(o.command(), o instanceof CommandOutcome.HandedOver);
            room |= lanes.completed(o.command());
        }
        if (room) {
            trigger.freed();
        }
        List<ClaimedCommand> purged = new ArrayList<>();
        boolean controlled = false;
        int putOff = 0;
        for (CommandOutcome o : outcomes) {
            if (o instanceof CommandOutcome.Purged p) {
                purged.add(p.command());
            } else if (o instanceof Later l && l.reason() != null && !l.isOfPause()) {
                putOff++;
                log.atLevel(putOff > MAX_LINES ? Level.DEBUG : Level.WARN)
                        .log("{} {}: {}", l.command(), when(l.delay()), l.reason());
            } else if (o instanceof CommandOutcome.Refused r) {
                log.debug("{} refused: {}", r.command(), r.reason());
            } else if (o instanceof CommandOutcome.Failed f) {
                log.debug("{} failed: {}", f.command(), f.reason());
            }
            controlled |= o instanceof CommandOutcome.Done d
                    && LrmsControl.kinds().contains(d.command().kind());
        }
        if (putOff > MAX_LINES) {
            log.warn("{} more commands put off likewise", putOff - MAX_LINES);
        }
        if (!purged.isEmpty()) {
            purge.removeTrash(purged);
        }
        if (controlled) {
            control.committed();
        }
    }

    private static String when(Duration delay) {
        return delay.isZero() ? "is tried again at once" : "is put off by " + Messages.span(delay);
    }

    private void quietly(String what, Consumer<Handle> work) {
        try {
            database.read(h -> {
                work.accept(h);
                return null;
            });
        } catch (RuntimeException | Error e) {
            log.warn("{} not read: {}", what, Messages.of(e));
        }
    }

    private void beat() {
        quietly("turns", h -> inTurn().forEach(l -> commands.lanes().followTurns(h, l)));
        quietly("sessions of the database", stalled::end);
        try {
            int returned = claims.beat();
            if (returned > 0) {
                log.warn("{} claims expired and returned to the queue", returned);
                wake();
            }
        } catch (RuntimeException | Error e) {
            log.warn("heartbeat failed, trying again: {}", Messages.of(e));
        }
        findPauses();
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
            } catch (RuntimeException | Error e) {
                // A loop that ends would stop all jobs of the node, and nothing would show it.
                // The trace of a fault of the database shows nothing more.
                log.warn(
                        "{} failed, trying again: {}",
                        Thread.currentThread().getName(),
                        Messages.of(e),
                        Database.isFailure(e) ? null : e);
                try {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_ERROR.toMillis());
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
        waiting.close();
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
