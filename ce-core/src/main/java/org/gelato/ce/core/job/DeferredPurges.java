package org.gelato.ce.core.job;

import java.util.Collection;
import java.util.List;
import org.gelato.ce.core.db.InList;
import org.jdbi.v3.core.Handle;

/** Purges of jobs that are being cancelled, deferred until they have ended: a row of each, which its job's purge takes along. */
public final class DeferredPurges {
    static final String INSERT = "INSERT IGNORE INTO purge_at_end (job_id) SELECT id FROM job WHERE id IN (<ids>)";

    // "state + 0": deferred purges are few and decide, not the index of states.
    static final String ENDED = StateSql.of("""
            SELECT p.job_id FROM purge_at_end p STRAIGHT_JOIN job j ON j.id = p.job_id
            WHERE p.job_id > :after AND j.state + 0 IN {ENDED} ORDER BY p.job_id LIMIT :limit
            """);

    private DeferredPurges() {}

    /** Defers the purge of each of these jobs, whose rows the caller has locked; once for a job, however often. */
    public static void store(Handle h, Collection<Integer> jobIds) {
        h.createUpdate(INSERT).bindList("ids", InList.of(jobIds)).execute();
    }

    /**
     * Jobs that have ended and whose purge was deferred.
     *
     * @param after the row number that they come after
     * @return at most {@code limit}, in ascending order
     */
    public static List<Integer> ended(Handle h, int after, int limit) {
        return h.createQuery(ENDED)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(Integer.class)
                .list();
    }
}
