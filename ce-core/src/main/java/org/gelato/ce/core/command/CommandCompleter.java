package org.gelato.ce.core.command;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gelato.ce.core.command.CommandOutcome.Later;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateReasons;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.jdbi.v3.core.Handle;

/**
 * Writes the outcomes of commands: the effect on the job, the command's end state and the promotion of the job's next
 * command in one transaction, many commands at a time (whatever has queued up while the last commit ran). Outcomes come
 * from any thread; one thread writes. When the database is away the batch is tried again until it is reachable; a crash
 * before the commit leaves the claims to expire and the hand-overs to be looked up.
 *
 * <p>An outcome of a job whose rows another session holds waits here, and no other waits with it. An outcome that the database rejects holds up no other: its command is put off with the reason, and tried again ever more rarely. One
 * for which even that is rejected keeps its claim and waits here, at most as many as may be claimed.
 */
public final class CommandCompleter {
    private static final int MAX_BATCH = 500;
    /** Until a command whose outcome can't be stored is tried again, doubled by each try. */
    private static final Duration PARKED = Duration.ofMinutes(1);

    /** The longest that a command is put off, but by its description. */
    static final Duration LONGEST_PARKED = Duration.ofHours(1);
    /** Until what waits is brought again, which costs nothing while its own wait lasts. */
    private static final Duration HELD = Duration.ofSeconds(1);

    private final Database database;
    private final JobStore jobs;
    private final OutcomeStore stored;
    private final StateReasons reasons = new StateReasons();
    private final JobStateMachine machine;
    private final Clock clock;
    private final BlockingQueue<CommandOutcome> queue = new LinkedBlockingQueue<>();
    /** Of the thread that writes: commands that cannot even be put off, and outcomes of jobs whose rows another session holds. */
    private final List<CommandOutcome> stuck = new ArrayList<>();

    private long stuckUntil;

    public CommandCompleter(
            Database database, CommandStore commands, JobStore jobs, JobStateMachine machine, Clock clock) {
        this.database = database;
        this.stored = new OutcomeStore(commands.lanes());
        this.jobs = jobs;
        this.machine = machine;
        this.clock = clock;
    }

    /** Takes an outcome; never blocks. */
    void accept(CommandOutcome outcome) {
        queue.add(outcome);
    }

    /**
     * Waits for outcomes and commits them; notifies the listener of each batch that was committed.
     *
     * @param due called when a command became due by it: a job's next one, or one put back
     */
    void runOnce(Consumer<List<CommandOutcome>> committed, Runnable due) throws InterruptedException {
        List<CommandOutcome> batch = next();
        List<CommandOutcome> done = new ArrayList<>();
        List<CommandOutcome> parked = new ArrayList<>();
        Set<CommandOutcome> rejected = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean[] more = {false};
        try {
            List<CommandOutcome> held = database.batches()
                    .write(
                            batch,
                            part -> {
                                more[0] |= commit(part);
                                done.addAll(part);
                            },
                            o -> "the outcome of " + o.command().kind() + " of "
                                    + o.command().jobId(),
                            (o, reason) -> {
                                rejected.add(o);
                                parked.add(park(o, reason));
                            })
                    .members();
            held.forEach(o -> stick(o, HELD));
        } catch (RuntimeException | Error e) {
            // Nothing more was committed, or it is not known; outcomes are facts and stay true until they are written.
            rejected.addAll(done);
            batch.stream().filter(o -> !rejected.contains(o)).forEach(queue::add);
            throw e;
        } finally {
            parked.stream().filter(Objects::nonNull).forEach(queue::add);
            if (!done.isEmpty()) {
                Steps.reached(Step.OUTCOME_STORED, done, o -> o.command().job().id());
                committed.accept(done);
            }
            if (more[0]) {
                due.run();
            }
        }
    }

    private List<CommandOutcome> next() throws InterruptedException {
        List<CommandOutcome> batch = new ArrayList<>();
        CommandOutcome first = stuck.isEmpty()
                ? queue.take()
                : queue.poll(Math.max(0, stuckUntil - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (first != null) {
            batch.add(first);
        }
        if (!stuck.isEmpty() && stuckUntil - System.nanoTime() <= 0) {
            queue.addAll(stuck);
            stuck.clear();
        }
        queue.drainTo(batch, MAX_BATCH - batch.size());
        return batch;
    }

    private void stick(CommandOutcome outcome, Duration delay) {
        long until = System.nanoTime() + delay.toNanos();
        stuckUntil = stuck.isEmpty() || until - stuckUntil < 0 ? until : stuckUntil;
        stuck.add(outcome);
    }

    /** What is stored instead of an outcome that can't be; null when nothing can. */
    private CommandOutcome park(CommandOutcome outcome, String reason) {
        if (outcome instanceof CommandOutcome.Parked) {
            stick(outcome, PARKED);
            return null;
        }
        ClaimedCommand c = outcome.command();
        Duration delay = PARKED.multipliedBy(1L << Math.min(Math.max(c.tries() - 1, 0), 6));
        return new CommandOutcome.Parked(Later.retry(
                c,
                delay.compareTo(LONGEST_PARKED) > 0 ? LONGEST_PARKED : delay,
                "what became of the command can't be stored: " + reason));
    }

    /** A job did not stand as its claim had left it. */
    private static final class Changed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Changed() {
            super(null, null, false, false);
        }
    }

    private boolean commit(List<CommandOutcome> batch) {
        try {
            return database.inTransaction(h -> commit(h, batch, true));
        } catch (Changed e) {
            return database.inTransaction(h -> commit(h, batch, false));
        }
    }

    /**
     * Writes a batch; returns whether a command became due.
     *
     * @param trusting takes jobs for what they were when they were claimed, so that most need not be read again
     * @throws Changed when one was not
     */
    private boolean commit(Handle h, List<CommandOutcome> batch, boolean trusting) {
        Instant now = clock.instant();
        Round round = new Round(now);
        Map<Integer, CommandOutcome.HandedOver> taken = new TreeMap<>();
        TreeSet<Integer> purged = new TreeSet<>();
        List<CommandOutcome> others = new ArrayList<>();
        Set<Integer> handedOver = new HashSet<>();
        for (CommandOutcome outcome : batch) {
            int id = outcome.command().job().id();
            if (outcome instanceof CommandOutcome.HandedOver && !handedOver.add(id)) {
                continue; // by two claims of one command, of which one had expired
            }
            if (trusting && outcome instanceof CommandOutcome.HandedOver o) {
                taken.put(id, o);
            } else if (trusting && outcome instanceof CommandOutcome.Purged) {
                purged.add(id);
            } else {
                others.add(outcome);
            }
        }
        if (!others.isEmpty()) {
            TreeSet<Integer> ids = new TreeSet<>();
            others.forEach(o -> ids.add(o.command().job().id()));
            Map<Integer, JobRow> rows = new HashMap<>();
            jobs.lock(h, ids).forEach(row -> rows.put(row.id(), row));
            others.replaceAll(o -> heeded(o, rows.get(o.command().job().id())));
            Set<Long> standing = standing(h, others);
            others.stream()
                    .filter(o -> !isClaimed(o) || standing.contains(o.command().id()))
                    .forEach(o -> round.add(o, rows.get(o.command().job().id())));
        }
        if (!taken.isEmpty() && !jobs.taken(h, round.taken(taken.values()), now)) {
            throw new Changed();
        }
        if (stored.deleteEnded(h, purged) != purged.size()) {
            throw new Changed();
        }
        boolean due = round.write(h);
        Steps.reached(Step.OUTCOME_WRITTEN, batch, o -> o.command().job().id());
        return due;
    }

    /**
     * A start that would be put back, of a job that is to be cancelled: the cancel would wait behind it. Only where no earlier hand-over
     * was in doubt nothing is left to be done.
     */
    private static CommandOutcome heeded(CommandOutcome outcome, JobRow row) {
        if (!(outcome instanceof Later l)
                || !l.surelyAbsent()
                || l.command().kind() != CommandKind.JOB_START
                || row == null
                || row.state() != JobState.PENDING
                || row.cancelReason() == null) {
            return outcome;
        }
        return row.batchJob().attempt() > 1 || l.command().lookUpFirst()
                ? new CommandOutcome.Failed(l.command(), row.cancelReason())
                : new CommandOutcome.Cancelled(l.command());
    }

    /** Whether an outcome counts only as long as its claim stands: another node may have done otherwise since. */
    private static boolean isClaimed(CommandOutcome outcome) {
        return outcome instanceof CommandOutcome.Refused
                || outcome instanceof CommandOutcome.Failed
                || outcome instanceof CommandOutcome.Cancelled
                || outcome instanceof CommandOutcome.Appeared
                || outcome instanceof CommandOutcome.Done;
    }

    private Set<Long> standing(Handle h, List<CommandOutcome> outcomes) {
        return stored.standing(
                h,
                outcomes.stream()
                        .filter(CommandCompleter::isClaimed)
                        .map(CommandOutcome::command)
                        .toList());
    }

    /** What one transaction writes. */
    private final class Round {
        private final Instant now;
        private final List<JobStore.Stored> changes = new ArrayList<>();
        private final List<ClaimedCommand> good = new ArrayList<>();
        private final Map<ClaimedCommand, String> bad = new LinkedHashMap<>();
        private final List<Later> later = new ArrayList<>();
        private final List<CommandOutcome.HandedOver> handedOver = new ArrayList<>();
        private final List<Integer> purged = new ArrayList<>();
        private final TreeSet<Integer> ended = new TreeSet<>();

        Round(Instant now) {
            this.now = now;
        }

        /** Changes of jobs that are taken to be pending still. */
        List<JobStore.Stored> taken(Collection<CommandOutcome.HandedOver> outcomes) {
            List<JobStore.Stored> queued = new ArrayList<>();
            for (CommandOutcome.HandedOver o : outcomes) {
                JobRow row = o.command().job();
                change(queued, row, machine.queued(row, after(row)), o.lrmsId());
                good.add(o.command());
                ended.add(row.id());
            }
            if (queued.size() != outcomes.size()) {
                throw new Changed();
            }
            return queued;
        }

        // A start noted by a node whose clock is ahead must not leave the job pending, where no poll follows it.
        private Instant after(JobRow row) {
            return row.since().isAfter(now) ? row.since() : now;
        }

        void add(CommandOutcome outcome, JobRow row) {
            if (row == null) {
                return; // purged meanwhile by an admin's second CE; its commands went with it
            }
            if (outcome instanceof Later l) {
                later.add(l);
                return;
            }
            if (outcome instanceof CommandOutcome.Parked p) {
                later.add(p.later());
                return;
            }
            if (outcome instanceof CommandOutcome.Cancelled c && isBegun(c, row)) {
                later.add(Later.retry(c.command(), Duration.ZERO, "the job has begun meanwhile"));
                return;
            }
            if (outcome instanceof CommandOutcome.Appeared a) {
                later.add(a.later());
                // one whose start was lost with an older state of the database is followed by its next try
                Optional<JobStateMachine.Change> next = row.state() == JobState.REGISTERED
                        ? machine.started(row, after(row))
                        : machine.queued(row, after(row));
                change(changes, row, next, null);
                return;
            }
            ended.add(row.id());
            if (outcome instanceof CommandOutcome.HandedOver o) {
                handedOver.add(o);
                good.add(o.command());
                change(changes, row, machine.queued(row, after(row)), o.lrmsId());
            } else if (outcome instanceof CommandOutcome.Refused o && JobState.IN_LRMS.contains(row.state())) {
                good.add(o.command()); // a wrapper of an earlier hand-over has reported meanwhile
            } else if (outcome instanceof CommandOutcome.Refused o) {
                bad.put(o.command(), o.reason());
                change(changes, row, machine.aborted(row, now, o.reason()), null);
            } else if (outcome instanceof CommandOutcome.Cancelled o) {
                if (o.command().kind() == CommandKind.JOB_CANCEL) {
                    good.add(o.command());
                } else {
                    bad.put(o.command(), row.cancelReason());
                }
                change(changes, row, machine.cancelled(row, now), null);
            } else if (outcome instanceof CommandOutcome.Done o) {
                good.add(o.command());
            } else if (outcome instanceof CommandOutcome.Failed o) {
                bad.put(o.command(), o.reason());
            } else if (outcome instanceof CommandOutcome.Purged) {
                if (row.state().isFinal() || row.state() == JobState.REGISTERED) {
                    purged.add(row.id());
                } else {
                    bad.put(outcome.command(), "status not compatible with the specified command!");
                }
            }
        }

        /** Whether a wrapper reported a job while its cancel found that none runs it. */
        private static boolean isBegun(CommandOutcome.Cancelled outcome, JobRow row) {
            return outcome.command().kind() == CommandKind.JOB_CANCEL && JobState.IN_LRMS.contains(row.state());
        }

        /** Jobs that wait for a limit, a queue or the end of a pause show why; in slices of what one statement takes. */
        private void explain(Handle h) {
            Map<String, Map<Integer, String>> byReason = new LinkedHashMap<>();
            later.stream()
                    .filter(l -> l.isOfPause() && l.command().kind() == CommandKind.JOB_START)
                    .forEach(l -> byReason.computeIfAbsent(StateReasons.cut(l.reason()), x -> new HashMap<>())
                            .put(l.command().job().id(), StateReasons.cut(l.reason())));
            Map<Integer, String> next = new HashMap<>();
            int number = 0;
            for (Map<Integer, String> jobs : byReason.values()) {
                next.putAll(jobs);
                if (++number % StateReasons.MAX_REASONS == 0) {
                    reasons.store(h, next);
                    next.clear();
                }
            }
            reasons.store(h, next);
        }

        boolean write(Handle h) {
            stored.handedOver(h, handedOver, now);
            jobs.store(h, changes);
            stored.retry(h, later, now);
            explain(h);
            stored.deleteJobs(h, purged);
            purged.forEach(ended::remove);
            return stored.finish(h, good, bad, ended, now) || !later.isEmpty();
        }
    }

    private static void change(
            List<JobStore.Stored> changes, JobRow row, Optional<JobStateMachine.Change> change, String lrmsId) {
        change.ifPresent(c -> changes.add(new JobStore.Stored(row, c, null, lrmsId)));
    }

    /** How many outcomes wait. */
    int waiting() {
        return queue.size();
    }
}
