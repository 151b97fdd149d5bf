package org.gelato.ce.core.sweep;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.job.JobState;
import org.jdbi.v3.core.Handle;

/** SQL of the lease sweeper, all of it in slices. All methods work within the caller's transaction. */
public final class LeaseSweepStore {
    // SKIP LOCKED: what another node sweeps or its owner renews at this moment is not waited for.
    public static final String RUN_OUT = """
            SELECT id FROM lease WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED
            """;
    static final String RUN_OUT_OF =
            "SELECT id FROM lease WHERE id IN (<ids>) AND expires_at <= :now FOR UPDATE SKIP LOCKED";
    public static final String LEAVE = """
            UPDATE job j SET
              j.past_lease = (SELECT l.client_id FROM lease l WHERE l.id = j.lease_id),
              j.past_lease_end = (SELECT l.expires_at FROM lease l WHERE l.id = j.lease_id),
              j.lease_cancels = 0, j.lease_cancel_at = :now, j.lease_id = NULL
            WHERE j.lease_id IN (<ids>) LIMIT :limit
            """;
    static final String DELETE = "DELETE FROM lease WHERE id IN (<ids>)";
    public static final String DUE = """
            SELECT id, state, lease_cancels FROM job WHERE lease_cancel_at <= :now
            ORDER BY lease_cancel_at LIMIT :limit FOR UPDATE SKIP LOCKED
            """;
    static final String TRIED = """
            UPDATE job SET lease_cancels = :tries, lease_cancel_at = :next WHERE id IN (<ids>)
            """;
    static final String PUT_OFF = "UPDATE job SET lease_cancel_at = :next WHERE id IN (<ids>)";

    /** A job whose lease ran out. */
    record Due(int job, JobState state, int cancels) {}

    /** Locks leases that ran out. */
    List<Integer> runOut(Handle h, Instant now, int limit) {
        return h.createQuery(RUN_OUT)
                .bind("now", now)
                .bind("limit", limit)
                .mapTo(Integer.class)
                .list();
    }

    /** Those of some leases, as {@link #runOut}. */
    List<Integer> runOutOf(Handle h, Instant now, Collection<Integer> leases) {
        return h.createQuery(RUN_OUT_OF)
                .bind("now", now)
                .bindList("ids", InList.of(leases))
                .mapTo(Integer.class)
                .list();
    }

    /** Lets jobs of these leases remember them instead; returns how many, at most {@code limit}. */
    int leave(Handle h, Collection<Integer> leases, Instant now, int limit) {
        return h.createUpdate(LEAVE)
                .bindList("ids", InList.of(leases))
                .bind("now", now)
                .bind("limit", limit)
                .execute();
    }

    void delete(Handle h, Collection<Integer> leases) {
        h.createUpdate(DELETE).bindList("ids", InList.of(leases)).execute();
    }

    /** Locks jobs whose cancel is due. */
    List<Due> due(Handle h, Instant now, int limit) {
        return h.createQuery(DUE)
                .bind("now", now)
                .bind("limit", limit)
                .map((r, c) -> new Due(r.getInt("id"), JobState.ofCode(r.getInt("state")), r.getInt("lease_cancels")))
                .list();
    }

    /**
     * Notes a try.
     *
     * @param next when the next one is due; null for never
     */
    void tried(Handle h, Collection<Integer> jobs, int tries, Instant next) {
        h.createUpdate(TRIED)
                .bindList("ids", InList.of(jobs))
                .bind("tries", tries)
                .bind("next", next)
                .execute();
    }

    void putOff(Handle h, Collection<Integer> jobs, Instant next) {
        h.createUpdate(PUT_OFF)
                .bindList("ids", InList.of(jobs))
                .bind("next", next)
                .execute();
    }
}
