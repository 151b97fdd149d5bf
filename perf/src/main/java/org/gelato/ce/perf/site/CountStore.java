package org.gelato.ce.perf.site;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.core.job.JobState;

/** What monitors ask the database of a measurement, by the views that people ask too. Used by one thread at a time. */
public final class CountStore implements AutoCloseable {
    private static final String BY_STATE = "SELECT state, jobs FROM job_state_counts WHERE jobs > 0";
    private static final String REASONS =
            "SELECT COALESCE(reason, 'no reason'), SUM(jobs) FROM failure_reasons GROUP BY 1 ORDER BY 2 DESC LIMIT 20";
    private static final String OPEN_COMMANDS = "SELECT COUNT(*) FROM command WHERE state IN (0, 1, 2)";
    private static final String RAN_TWICE = "SELECT COUNT(*) FROM (SELECT job_id FROM job_state_history WHERE state = 4"
            + " GROUP BY job_id HAVING COUNT(*) > 1) t";

    private final OwnConnection database;

    CountStore(OwnConnection database) {
        this.database = database;
    }

    /** Stored jobs by state; states without jobs are missing. */
    public Map<JobState, Long> byState() {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        database.query(
                BY_STATE, r -> counts.put(JobState.ofWireName(r.getString(1)).orElseThrow(), r.getLong(2)));
        return counts;
    }

    /** Why jobs failed, the most frequent reasons first. */
    public Map<String, Long> failureReasons() {
        Map<String, Long> counts = new LinkedHashMap<>();
        database.query(REASONS, r -> counts.put(r.getString(1), r.getLong(2)));
        return counts;
    }

    /** Commands that are not done. */
    public long openCommands() {
        return database.number(OPEN_COMMANDS, 1);
    }

    /** Jobs whose payload began more than once. */
    public long ranTwice() {
        return database.number(RAN_TWICE, 1);
    }

    @Override
    public void close() {
        database.close();
    }
}
