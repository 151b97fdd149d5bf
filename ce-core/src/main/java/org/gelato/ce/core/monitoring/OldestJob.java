package org.gelato.ce.core.monitoring;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * The job that has waited longest in its state.
 *
 * @param state in which it waits: here, or in the batch system's queue
 * @param description why it waits; null where that is unknown
 */
public record OldestJob(JobId id, JobState state, Instant since, String description) {
    // The first entry of one index range each.
    static final String READ = StateSql.of("""
            (SELECT id, state, state_since, description FROM job FORCE INDEX (job_state)
             WHERE state = {PENDING} ORDER BY state_since LIMIT 1)
            UNION ALL
            (SELECT id, state, state_since, description FROM job FORCE INDEX (job_state)
             WHERE state = {IDLE} ORDER BY state_since LIMIT 1)
            """);

    /** Reads it: one statement, whatever is stored. Empty while no job waits. */
    public static Optional<OldestJob> read(Handle h, JobNumbers numbers) {
        return h
                .createQuery(READ)
                .map((row, context) -> new OldestJob(
                        numbers.id(row.getInt("id")),
                        JobState.ofCode(row.getInt("state")),
                        SqlTime.get(row, "state_since"),
                        row.getString("description")))
                .list()
                .stream()
                .min(Comparator.comparing(OldestJob::since));
    }
}
