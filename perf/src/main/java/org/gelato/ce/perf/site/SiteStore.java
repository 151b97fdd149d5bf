package org.gelato.ce.perf.site;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;

/**
 * What the measurement itself queries from the database server: the server's counters, and how far the jobs are, so that
 * waiting costs the CE nothing. Used by one thread.
 */
public final class SiteStore implements AutoCloseable {
    private static final String FINAL = JobState.FINAL.stream()
            .map(s -> Integer.toString(s.code()))
            .sorted()
            .collect(Collectors.joining(", "));
    private static final String JOBS = "SELECT COUNT(*) FROM job";
    private static final String NOT_ENDED = "SELECT COUNT(*) FROM job WHERE state NOT IN (" + FINAL + ")";
    private static final String IN_STATE = "SELECT COUNT(*) FROM job WHERE state = ";

    private final OwnConnection database;
    private final LongAdder own;

    /** @param own statements of the whole measurement */
    SiteStore(OwnConnection database, LongAdder own) {
        this.database = database;
        this.own = own;
    }

    /** Jobs the CE knows. */
    public long jobs() {
        return database.number(JOBS, 1);
    }

    /** Jobs the CE knows that have not ended. */
    public long notEnded() {
        return database.number(NOT_ENDED, 1);
    }

    public long inState(JobState state) {
        return database.number(IN_STATE + state.code(), 1);
    }

    /** Statements the server was sent since it started, without those of the measurement. */
    public long questions() {
        // The server counts this one before it returns.
        return database.number("SHOW GLOBAL STATUS LIKE 'Questions'", 2) - own.sum();
    }

    /** COMMIT statements the server was sent since it started. */
    public long commits() {
        return database.number("SHOW GLOBAL STATUS LIKE 'Com_commit'", 2);
    }

    @Override
    public void close() {
        database.close();
    }
}
