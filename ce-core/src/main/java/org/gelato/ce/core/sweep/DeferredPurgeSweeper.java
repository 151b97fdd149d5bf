package org.gelato.ce.core.sweep;

import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.DeferredPurges;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;

/**
 * Queues JOB_PURGE for jobs whose owners asked for it while they were being cancelled, once they have ended. Called on a schedule from
 * one thread per node; several nodes may run at once, since the locks of the jobs' rows decide who queues. Deferred purges are rows
 * that go with their jobs ({@link DeferredPurges}), so nothing is lost with a process.
 */
public final class DeferredPurgeSweeper {
    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final Clock clock;
    private final Runnable wake;

    /** @param wake called after commands were committed */
    public DeferredPurgeSweeper(Database database, JobStore jobs, CommandStore commands, Clock clock, Runnable wake) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.clock = clock;
        this.wake = wake;
    }

    /** Queues what can be purged by now. @return purges queued */
    public int sweep() {
        int queued = 0;
        int after = 0;
        List<Integer> ended;
        do {
            int from = after;
            ended = database.read(h -> DeferredPurges.ended(h, from, JobStore.SLICE));
            if (!ended.isEmpty()) {
                queued += queue(ended);
                after = ended.get(ended.size() - 1);
            }
        } while (ended.size() == JobStore.SLICE);
        if (queued > 0) {
            wake.run();
        }
        return queued;
    }

    private int queue(List<Integer> ids) {
        return database.inTransaction(h -> {
            List<JobRow> locked = jobs.lock(h, ids);
            // Under the locks, or two nodes would both find a job without commands.
            Set<Integer> busy = commands.busy(h, ids);
            List<CommandStore.NewCommand> purges = locked.stream()
                    .filter(job -> job.state().isFinal() && !busy.contains(job.id()))
                    .map(job -> CommandStore.NewCommand.queued(job, CommandKind.JOB_PURGE, null))
                    .toList();
            commands.insert(h, purges, Set.of(), clock.instant());
            return purges.size();
        });
    }
}
