package org.gelato.ce.core.command;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.jdbi.v3.core.Handle;

/**
 * Writes the outcomes of commands: the effect on the job, the command's end state and the promotion of the job's next
 * command in one transaction, many commands at a time (whatever has queued up while the last commit ran). Outcomes come
 * from any thread; one thread writes. When the database is away the batch is tried again until it answers; a crash before
 * the commit leaves the claims to expire and the hand-overs to be looked up.
 */
public final class CommandCompleter {
    private static final int MAX_BATCH = 500;

    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final JobStateMachine machine;
    private final Clock clock;
    private final BlockingQueue<CommandOutcome> queue = new LinkedBlockingQueue<>();

    public CommandCompleter(
            Database database, JobStore jobs, CommandStore commands, JobStateMachine machine, Clock clock) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.machine = machine;
        this.clock = clock;
    }

    /** Takes an outcome; never blocks. */
    void accept(CommandOutcome outcome) {
        queue.add(outcome);
    }

    /** Waits for outcomes and commits them; tells the listener about each batch that was committed. */
    void runOnce(Consumer<List<CommandOutcome>> committed) throws InterruptedException {
        List<CommandOutcome> batch = new ArrayList<>();
        batch.add(queue.take());
        queue.drainTo(batch, MAX_BATCH - 1);
        try {
            database.inTransaction(h -> {
                commit(h, batch);
                return null;
            });
        } catch (RuntimeException e) {
            // Nothing was committed; outcomes are facts and stay true until they are written.
            queue.addAll(batch);
            throw e;
        }
        Steps.reached(Step.OUTCOME_STORED);
        committed.accept(batch);
    }

    private void commit(Handle h, List<CommandOutcome> batch) {
        Instant now = clock.instant();
        Map<Integer, JobRow> rows = new HashMap<>();
        TreeSet<Integer> jobIds = new TreeSet<>();
        batch.forEach(o -> jobIds.add(o.command().job().id()));
        jobs.lock(h, jobIds).forEach(row -> rows.put(row.id(), row));

        List<JobStore.Stored> changes = new ArrayList<>();
        Map<ClaimedCommand, String> good = new LinkedHashMap<>();
        Map<ClaimedCommand, String> bad = new LinkedHashMap<>();
        List<CommandOutcome.Later> later = new ArrayList<>();
        List<CommandOutcome.HandedOver> handedOver = new ArrayList<>();
        List<Integer> purged = new ArrayList<>();
        List<Integer> ended = new ArrayList<>();
        for (CommandOutcome outcome : batch) {
            JobRow row = rows.get(outcome.command().job().id());
            if (row == null) {
                continue; // purged meanwhile by an admin's second CE; its commands went with it
            }
            if (outcome instanceof CommandOutcome.Later l) {
                later.add(l);
                continue;
            }
            ended.add(row.id());
            if (outcome instanceof CommandOutcome.HandedOver o) {
                handedOver.add(o);
                good.put(o.command(), null);
                // A start noted by a node whose clock is ahead must not leave the job pending, where nobody follows it.
                Instant at = row.since().isAfter(now) ? row.since() : now;
                change(changes, row, machine.queued(row, at), o.lrmsId());
            } else if (outcome instanceof CommandOutcome.Refused o) {
                bad.put(o.command(), o.reason());
                change(changes, row, machine.aborted(row, now, o.reason()), null);
            } else if (outcome instanceof CommandOutcome.Done o) {
                good.put(o.command(), null);
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
        commands.handedOver(h, handedOver, now);
        jobs.store(h, changes);
        commands.finish(h, good, CommandState.SUCCESSFULL, now);
        commands.finish(h, bad, CommandState.ERROR, now);
        commands.retry(h, later, now);
        commands.deleteJobs(h, purged);
        ended.removeAll(purged);
        commands.promote(h, ended, now);
        Steps.reached(Step.OUTCOME_WRITTEN);
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
