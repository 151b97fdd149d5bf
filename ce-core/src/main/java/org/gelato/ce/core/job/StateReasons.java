package org.gelato.ce.core.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.InList;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/**
 * SQL of why jobs wait: the description of their present state, which changes without a record of the history. What changes
 * the state takes it away by the same statement (JobStore). All methods work within the caller's transaction.
 */
public final class StateReasons {
    /** Jobs that went on meanwhile are left alone. */
    // "state + 0": an index on the state would lock the jobs of others on the way.
    static final String EXPLAIN =
            StateSql.of("UPDATE job SET description = CASE <arms> END WHERE id IN (<ids>) AND state + 0 IN {WAITING}");

    /** Reasons of one call. */
    public static final int MAX_REASONS = 20;

    /** Jobs of one call. */
    public static final int MAX_JOBS = 1000;

    /** A reason as long as a description may be. */
    public static String cut(String reason) {
        return JobStore.cut(reason, 512);
    }

    /**
     * Stores why jobs wait or are held: one statement whatever their number, none for none.
     *
     * @param reasons of jobs by row; null where there is none. At most {@link #MAX_JOBS}, with {@link #MAX_REASONS}
     *     different ones
     */
    public void store(Handle h, Map<Integer, String> reasons) {
        if (reasons.isEmpty()) {
            return;
        }
        Map<String, List<Integer>> jobs = new LinkedHashMap<>();
        reasons.forEach((job, reason) ->
                jobs.computeIfAbsent(reason, x -> new ArrayList<>()).add(job));
        Update update = h.createUpdate(EXPLAIN).define("arms", arms(jobs.values()));
        int number = 0;
        for (String reason : jobs.keySet()) {
            update.bind("reason" + number++, reason);
        }
        update.bindList("ids", InList.of(reasons.keySet().stream().sorted().toList()))
                .execute();
    }

    /** The arms of the CASE for groups of jobs. */
    static String arms(Collection<List<Integer>> groups) {
        StringBuilder arms = new StringBuilder();
        int number = 0;
        for (List<Integer> jobs : groups) {
            String ids = InList.of(jobs).toString();
            arms.append(" WHEN id IN (")
                    .append(ids, 1, ids.length() - 1)
                    .append(") THEN :reason")
                    .append(number++);
        }
        return arms.toString();
    }
}
