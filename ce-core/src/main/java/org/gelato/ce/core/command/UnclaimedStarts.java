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
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * SQL that takes starts back which no node has claimed: their jobs are cancelled without the batch system, however long it takes
 * nothing. A start that is claimed is its claimer's; a cancel waits for its outcome.
 */
public final class UnclaimedStarts {
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

    private record Waiting(long id, int job, boolean starts) {}

    /**
     * Ends the starts of these jobs that wait for their claim, and with them the cancels that wait behind.
     *
     * @param jobIds of locked jobs whose hand-over has not begun
     * @param reason why the starts are not executed
     * @return the jobs whose starts were taken back: nothing of them waits any more
     */
    public Set<Integer> takeBack(Handle h, Collection<Integer> jobIds, String reason, Instant now) {
        if (jobIds.isEmpty()) {
            return Set.of();
        }
        Map<Integer, List<Long>> byJob = new HashMap<>();
        Set<Integer> jobs = new HashSet<>();
        h.createQuery(LOCK)
                .bindList("ids", InList.of(jobIds))
                .map((r, context) -> new Waiting(
                        r.getLong("id"), r.getInt("job_id"), r.getInt("kind") == CommandKind.JOB_START.code()))
                .forEach(w -> {
                    byJob.computeIfAbsent(w.job(), job -> new ArrayList<>()).add(w.id());
                    if (w.starts()) {
                        jobs.add(w.job());
                    }
                });
        byJob.keySet().retainAll(jobs);
        List<Long> ids = byJob.values().stream().flatMap(List::stream).sorted().toList();
        if (!ids.isEmpty()) {
            h.createUpdate(TAKE_BACK)
                    .bind("reason", reason)
                    .bind("now", now)
                    .bindList("ids", InList.of(ids))
                    .execute();
        }
        return jobs;
    }
}
