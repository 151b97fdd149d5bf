package org.gelato.ce.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.job.JobState;
import org.jdbi.v3.core.Handle;

/**
 * SQL of two ways to find out the present state of jobs where it stands nowhere but in their history: the one CREAM used,
 * and the one that a performance report proposed instead. Both are written for our history, whose index on job and id is all
 * they can make use of; for comparison only.
 */
final class OldFormsStore {
    /** Each record is the present one when no other of its job is later. */
    enum Form {
        /** A sub-select finds each job's latest record. */
        SUB_SELECT("FROM job j, job_state_history s WHERE s.job_id = j.id AND s.id = (SELECT MAX(m.id)"
                + " FROM job_state_history m WHERE m.job_id = j.id)"),
        /** An outer join finds the records that have no later one. */
        ANTI_JOIN("FROM job_state_history s LEFT OUTER JOIN job_state_history l ON l.job_id = s.job_id AND s.id < l.id"
                + " WHERE l.id IS NULL");

        private final String latest;

        Form(String latest) {
            this.latest = latest;
        }
    }

    private static final int SLICE = 1000;
    private static final String ACTIVE = " AND s.state IN (1, 2, 3, 4, 6)";
    private static final String NAMED = " AND s.job_id IN (<ids>) AND s.owner_id = :owner";

    /** Jobs started and not ended. */
    long active(Handle h, Form form) {
        return h.createQuery("SELECT COUNT(*) " + form.latest + ACTIVE)
                .mapTo(Long.class)
                .one();
    }

    /** The present states of an owner's jobs, by their rows; what is not there is missing. */
    Map<Integer, JobState> states(Handle h, Form form, int owner, List<Integer> rows) {
        Map<Integer, JobState> states = new HashMap<>();
        for (List<Integer> slice : slices(rows)) {
            h.createQuery("SELECT s.job_id, s.state, s.at, s.exit_code, s.failure_reason, s.description "
                            + form.latest
                            + NAMED)
                    .bindList("ids", slice)
                    .bind("owner", owner)
                    .map((r, c) -> Map.entry(r.getInt("job_id"), JobState.ofCode(r.getInt("state"))))
                    .forEach(e -> states.put(e.getKey(), e.getValue()));
        }
        return states;
    }

    private static List<List<Integer>> slices(List<Integer> all) {
        List<List<Integer>> slices = new ArrayList<>();
        for (int i = 0; i < all.size(); i += SLICE) {
            slices.add(all.subList(i, Math.min(all.size(), i + SLICE)));
        }
        return slices;
    }
}
