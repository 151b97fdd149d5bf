package org.gelato.ce.core.follow;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStore;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels once more what the batch system was requested to cancel and has not: slurmctld that is killed forgets the
 * cancels it took since it last saved, and the job would run to its own end. A job is given a grace first, then twice as
 * long, and so on up to {@link #LONGEST}, so that one that cannot be cancelled costs little. No statement while there is
 * no such job.
 *
 * <p>Used by one thread per batch system. Keeps in memory only since when it waits: a restart begins the grace anew.
 * Several nodes may remind of the same job; it is locked meanwhile, and one whose command is under way is left alone.
 */
public final class CancelReminder {
    /** Longer than batch systems let a job have to end by itself. */
    public static final Duration USUAL_GRACE = Duration.ofMinutes(1);

    static final Duration LONGEST = Duration.ofHours(1);

    private static final Logger log = LoggerFactory.getLogger(CancelReminder.class);

    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final Duration grace;
    private final Map<Integer, Wait> waits = new HashMap<>();

    private record Wait(Instant until, Duration pause) {}

    /** @param grace how long a job may live on after it was first seen to */
    public CancelReminder(Database database, JobStore jobs, CommandStore commands, Duration grace) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.grace = grace;
    }

    /**
     * Queues a cancel for each of the jobs whose grace is over.
     *
     * @param living all jobs that the batch system shows as not ended and that were to be cancelled
     */
    void remind(Collection<JobRow> living, Instant now) {
        waits.keySet().retainAll(living.stream().map(JobRow::id).toList());
        List<Integer> due = new ArrayList<>();
        for (JobRow row : living) {
            Wait wait = waits.computeIfAbsent(row.id(), id -> new Wait(now.plus(grace), grace));
            if (!wait.until().isAfter(now)) {
                due.add(row.id());
            }
        }
        if (due.isEmpty()) {
            return;
        }
        int[] again = {0};
        List<Integer> held = database.batches()
                .write(
                        due,
                        part -> again[0] += database.inTransaction(h -> remind(h, part, now)),
                        id -> "another cancel of job " + id,
                        (id, reason) -> {})
                .members();
        due.removeAll(held);
        for (int id : due) {
            Duration twice = waits.get(id).pause().multipliedBy(2);
            Duration pause = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
            waits.put(id, new Wait(now.plus(pause), pause));
        }
        log.warn("{} jobs live on though their cancel was taken; {} are cancelled again", due.size(), again[0]);
    }

    /** @return how many cancels were queued */
    private int remind(Handle h, List<Integer> due, Instant now) {
        List<JobRow> rows = jobs.lock(h, due);
        Set<Integer> busy = commands.busy(h, due);
        List<CommandStore.NewCommand> cancels = rows.stream()
                .filter(row -> !row.state().isFinal() && !busy.contains(row.id()))
                .map(row -> CommandStore.NewCommand.queued(row, CommandKind.JOB_CANCEL, row.cancelReason()))
                .toList();
        commands.insert(h, cancels, Set.of(), now);
        return cancels.size();
    }
}
