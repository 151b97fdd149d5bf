package org.gelato.ce.core.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * Requests cancels of jobs: of users and administrators, of ended delegations, of leases. A job that was never handed over is cancelled at
 * once. So is, as soon as no wrapper can run it any more ({@link LrmsControl}), one that waits for another hand-over: however long its queue
 * takes nothing. All methods work within the caller's transaction.
 */
public final class CancelRequests {
    public static final String REQUESTED = "UPDATE job SET cancel_reason = :reason WHERE id IN (<ids>)";

    // What a claimer has locked is left to it: it needs the job's row, which is locked here. "state + 0": an index on
    // the state would lock
    // the commands of others on the way.
    static final String LOCK = StateSql.of(
            "SELECT id, job_id, kind FROM command WHERE job_id IN (<ids>) AND state + 0 IN {command.WAITING}"
                    + " ORDER BY id FOR UPDATE SKIP LOCKED");
    static final String TAKE_BACK = StateSql.of("""
            UPDATE command SET state = CASE kind WHEN 1 THEN {command.ERROR} ELSE {command.SUCCESSFULL} END, run_after = NULL, completed_at = :now,
              failure_reason = CASE kind WHEN 1 THEN :reason ELSE failure_reason END
            WHERE id IN (<ids>)
            """);

    private final JobStore jobs;
    private final CommandStore commands;
    private final JobStateMachine machine;

    private record Waiting(long id, int job, boolean starts) {}

    public CancelRequests(JobStore jobs, CommandStore commands, JobStateMachine machine) {
        this.jobs = jobs;
        this.commands = commands;
        this.machine = machine;
    }

    /**
     * Requests the cancel of jobs that have not ended.
     *
     * @param rows locked; a job may be there more than once
     * @param reason shown to the job's user
     */
    public void request(Handle h, List<JobRow> rows, String reason, Instant now) {
        if (rows.isEmpty()) {
            return;
        }
        List<Integer> ids = rows.stream().map(JobRow::id).distinct().toList();
        Set<Integer> takenBack = takeBack(h, waiting(rows), reason, now);
        List<JobStore.Stored> changes = new ArrayList<>();
        List<CommandStore.NewCommand> issued = new ArrayList<>();
        Set<Integer> ended = new HashSet<>();
        for (JobRow row : rows) {
            // In a database that was restored one may run that seems to be registered.
            boolean atOnce = row.batchJob().handOver() == JobRow.HandOver.NONE
                    && (row.state() == JobState.REGISTERED
                            || (takenBack.contains(row.id()) && row.batchJob().attempt() == 0));
            issued.add(
                    atOnce
                            ? new CommandStore.NewCommand(
                                    row.id(), CommandKind.JOB_CANCEL, CommandState.SUCCESSFULL, reason)
                            : CommandStore.NewCommand.queued(row, CommandKind.JOB_CANCEL, reason));
            if (atOnce && ended.add(row.id())) {
                machine.cancelled(row.withCancelReason(reason), now)
                        .ifPresent(c -> changes.add(new JobStore.Stored(row, c, null, null)));
            }
        }
        Set<Integer> busy = commands.busy(h, ids);
        jobs.store(h, changes);
        h.createUpdate(REQUESTED)
                .bind("reason", reason)
                .bindList("ids", InList.of(ids))
                .execute();
        commands.insert(h, issued, busy, now);
    }

    /** Jobs that are started, and surely not in the batch system. */
    private static List<Integer> waiting(List<JobRow> rows) {
        return rows.stream()
                .filter(row -> row.state() == JobState.PENDING && row.batchJob().handOver() == JobRow.HandOver.NONE)
                .map(JobRow::id)
                .distinct()
                .toList();
    }

    /**
     * Ends the starts of these jobs that wait for their claim, and with them the cancels that wait behind. A start that is claimed is its
     * claimer's; a cancel waits for its outcome.
     *
     * @param jobIds of locked jobs whose hand-over is not under way
     * @return the jobs whose starts were taken back: nothing of them waits any more
     */
    private static Set<Integer> takeBack(Handle h, Collection<Integer> jobIds, String reason, Instant now) {
        if (jobIds.isEmpty()) {
            return Set.of();
        }
        Map<Integer, List<Long>> byJob = new HashMap<>();
        Set<Integer> starting = new HashSet<>();
        h.createQuery(LOCK)
                .bindList("ids", InList.of(jobIds))
                .map((r, context) -> new Waiting(
                        r.getLong("id"), r.getInt("job_id"), r.getInt("kind") == CommandKind.JOB_START.code()))
                .forEach(w -> {
                    byJob.computeIfAbsent(w.job(), job -> new ArrayList<>()).add(w.id());
                    if (w.starts()) {
                        starting.add(w.job());
                    }
                });
        byJob.keySet().retainAll(starting);
        List<Long> ids = byJob.values().stream().flatMap(List::stream).sorted().toList();
        if (!ids.isEmpty()) {
            h.createUpdate(TAKE_BACK)
                    .bind("reason", reason)
                    .bind("now", now)
                    .bindList("ids", InList.of(ids))
                    .execute();
        }
        return starting;
    }
}
