package org.gelato.ce.core.sweep;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;

/** Queues JOB_PURGE for what sweeps find. Several nodes may do so at once: the locks of the jobs' rows decide who queues. */
public final class PurgeQueue {
    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final Clock clock;
    private final Runnable wake;

    /**
     * What one transaction did.
     *
     * @param due the jobs that were still due under their locks, also those with another command under way
     * @param purges the jobs whose purges were queued
     */
    record Queued(List<JobRow> due, List<Integer> purges) {}

    /** @param wake called after commands were committed */
    public PurgeQueue(Database database, JobStore jobs, CommandStore commands, Clock clock, Runnable wake) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.clock = clock;
        this.wake = wake;
    }

    /** Where the jobs are. */
    Database database() {
        return database;
    }

    /**
     * Queues a purge for each of some jobs without a command under way, in one transaction of four statements. Those whose rows another
     * session holds are left to the next sweep.
     *
     * @param ids row numbers, at most a slice
     * @param isDue whether a job is to be purged as it is by now
     */
    Queued queue(List<Integer> ids, Predicate<JobRow> isDue) {
        Queued all = new Queued(new ArrayList<>(), new ArrayList<>());
        database.batches()
                .write(
                        ids,
                        part -> {
                            Queued some = queueTogether(part, isDue);
                            all.due().addAll(some.due());
                            all.purges().addAll(some.purges());
                        },
                        id -> "the purge of job " + id,
                        (id, reason) -> {});
        if (!all.purges().isEmpty()) {
            wake.run();
        }
        return all;
    }

    private Queued queueTogether(List<Integer> ids, Predicate<JobRow> isDue) {
        Queued queued = database.inTransaction(h -> {
            List<JobRow> due = jobs.lock(h, ids).stream().filter(isDue).toList();
            // Under the locks, or two nodes would both find a job without commands.
            Set<Integer> busy = commands.busy(h, ids);
            List<CommandStore.NewCommand> purges = due.stream()
                    .filter(job -> !busy.contains(job.id()))
                    .map(job -> CommandStore.NewCommand.queued(job, CommandKind.JOB_PURGE, null))
                    .toList();
            commands.insert(h, purges, Set.of(), clock.instant());
            return new Queued(
                    due, purges.stream().map(CommandStore.NewCommand::job).toList());
        });
        if (!queued.purges().isEmpty()) {
            Steps.reached(Step.SWEPT_PURGES_STORED, queued.purges(), row -> row);
        }
        return queued;
    }
}
