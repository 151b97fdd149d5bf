package org.gelato.ce.perf.site;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.job.JobState;

/**
 * What monitors query from a measurement's database, by the views that administrators query too. Used by one thread at a
 * time.
 */
public final class CountStore implements AutoCloseable {
    private static final String BY_STATE = "SELECT state, jobs FROM job_state_counts WHERE jobs > 0";
    private static final String REASONS =
            "SELECT COALESCE(reason, 'no reason'), SUM(jobs) FROM failure_reasons GROUP BY 1 ORDER BY 2 DESC LIMIT 20";
    private static final String OPEN_COMMANDS = "SELECT COUNT(*) FROM command WHERE state IN (0, 1, 2)";
    private static final String RAN_TWICE = "SELECT COUNT(*) FROM (SELECT job_id FROM job_state_history WHERE state = 4"
            + " GROUP BY job_id HAVING COUNT(*) > 1) t";

    private static final String LAST_JOB = "SELECT MAX(id) FROM job";
    private static final String STARTS = "SELECT TIMESTAMPDIFF(MICROSECOND, c.created_at, j.handed_over_at) FROM job j"
            + " JOIN command c ON c.job_id = j.id AND c.kind = 1 WHERE j.handed_over_at IS NOT NULL AND j.id > ";

    private static final String NOT_HANDED_OVER = "SELECT COUNT(*) FROM job WHERE handed_over_at IS NULL AND id > ";
    private static final String LAST_HAND_OVER =
            "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', MAX(handed_over_at)) FROM job";

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

    /** The row of the job that was stored last; 0 when there is none. */
    public long lastJob() {
        return database.number(LAST_JOB, 1);
    }

    /** From the command to the hand-over of each start of later jobs, in milliseconds. */
    public List<Double> startMillis(long afterJob) {
        List<Double> millis = new ArrayList<>();
        database.query(STARTS + afterJob, r -> millis.add(r.getLong(1) / 1000.0));
        return millis;
    }

    /** Later jobs the batch system has not taken. */
    public long notHandedOver(long afterJob) {
        return database.number(NOT_HANDED_OVER + afterJob, 1);
    }

    /** When the CE noted the last hand-over, by this host's clock. */
    public Instant lastHandOver() {
        return Instant.EPOCH.plus(database.number(LAST_HAND_OVER, 1), ChronoUnit.MICROS);
    }

    @Override
    public void close() {
        database.close();
    }
}
