package org.gelato.ce.core.lease;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.db.InList;
import org.jdbi.v3.core.Handle;

/**
 * SQL of leases and of the bond between a job and its lease. All methods work within the caller's transaction or read.
 * Setting and sweeping a lease lock it before its jobs, JobSetLeaseId the jobs before their lease: should the two meet,
 * the server chooses one, and {@link org.gelato.ce.core.db.Database#inTransaction} runs it again.
 */
public final class LeaseStore {
    static final String BY_CLIENT_ID = "SELECT client_id, id FROM lease"
            + " WHERE owner_id = :owner AND client_id IN (<ids>) AND expires_at > :now";
    static final String OF_OWNERS = "SELECT owner_id, id FROM lease"
            + " WHERE owner_id IN (<owners>) AND client_id = :id AND expires_at > :now LOCK IN SHARE MODE";
    static final String SHARE = "SELECT id FROM lease WHERE id IN (<ids>) LOCK IN SHARE MODE";
    static final String LOCK = "SELECT id FROM lease WHERE owner_id = :owner AND client_id = :id FOR UPDATE";
    static final String COUNT = "SELECT COUNT(*) FROM lease WHERE owner_id = :owner";
    static final String PUT = """
            INSERT INTO lease (owner_id, client_id, expires_at) VALUES (:owner, :id, :until)
            ON DUPLICATE KEY UPDATE expires_at = :until
            """;
    static final String LIST = "SELECT client_id, expires_at FROM lease WHERE owner_id = :owner AND expires_at > :now"
            + " ORDER BY client_id";
    static final String GET = "SELECT client_id, expires_at FROM lease"
            + " WHERE owner_id = :owner AND client_id = :id AND expires_at > :now";
    static final String DELETE = "DELETE FROM lease WHERE owner_id = :owner AND client_id = :id AND expires_at > :now";
    // Read first, for an update by this index would wait for every active job of the owner that is being changed.
    static final String LEFT =
            "SELECT id FROM job WHERE owner_id = :owner AND state IN (0, 1, 2, 3, 4, 6) AND past_lease = :id";
    static final String REVIVE = """
            UPDATE job SET lease_id = (SELECT l.id FROM lease l WHERE l.owner_id = :owner AND l.client_id = :id),
              past_lease = NULL, past_lease_end = NULL, lease_cancels = 0, lease_cancel_at = NULL
            WHERE id IN (<ids>) AND state + 0 IN (0, 1, 2, 3, 4, 6) AND past_lease = :id
            """;
    static final String LINK = """
            UPDATE job SET lease_id = :lease, past_lease = NULL, past_lease_end = NULL, lease_cancels = 0,
              lease_cancel_at = NULL
            WHERE id IN (<ids>)
            """;
    // Assignments work from left to right, so lease_id goes last; subqueries and not a join, because a join would lock
    // the leases too.
    static final String JOBS_ENDED = """
            UPDATE job j SET
              j.past_lease = COALESCE((SELECT l.client_id FROM lease l WHERE l.id = j.lease_id), j.past_lease),
              j.past_lease_end = COALESCE((SELECT l.expires_at FROM lease l WHERE l.id = j.lease_id), j.past_lease_end),
              j.lease_cancel_at = NULL, j.lease_id = NULL
            WHERE j.id IN (<ids>)
            """;

    /**
     * An owner's leases by the id the client gave them; unknown ids and those that ran out are missing. No statement for
     * no ids.
     *
     * @return row numbers, for {@code job.lease_id}
     */
    public Map<String, Integer> find(Handle h, int owner, Collection<String> clientIds, Instant now) {
        return clientIds.isEmpty()
                ? Map.of()
                : h.createQuery(BY_CLIENT_ID)
                        .bind("owner", owner)
                        .bind("now", now)
                        .bindList("ids", InList.of(clientIds))
                        .map((r, c) -> Map.entry(r.getString("client_id"), r.getInt("id")))
                        .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** The lease of this id of each of these owners, by owner; held until the end of the transaction. */
    public Map<Integer, Integer> hold(Handle h, Collection<Integer> owners, String clientId, Instant now) {
        return owners.isEmpty()
                ? Map.of()
                : h.createQuery(OF_OWNERS)
                        .bindList("owners", InList.of(owners))
                        .bind("id", clientId)
                        .bind("now", now)
                        .map((r, c) -> Map.entry(r.getInt("owner_id"), r.getInt("id")))
                        .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Those of these rows that are still there; they stay until the end of the transaction. No statement for none. */
    public Set<Integer> hold(Handle h, Collection<Integer> rows) {
        return rows.isEmpty()
                ? Set.of()
                : new HashSet<>(h.createQuery(SHARE)
                        .bindList("ids", InList.of(rows))
                        .mapTo(Integer.class)
                        .list());
    }

    /** Gives jobs another lease, or none for null. */
    public void link(Handle h, Integer lease, Collection<Integer> jobs) {
        if (!jobs.isEmpty()) {
            h.createUpdate(LINK)
                    .bind("lease", lease)
                    .bindList("ids", InList.of(jobs))
                    .execute();
        }
    }

    /** Jobs have ended: they keep what their lease was, and nothing that happens to it concerns them any more. */
    public void jobsEnded(Handle h, Collection<Integer> jobs) {
        if (!jobs.isEmpty()) {
            h.createUpdate(JOBS_ENDED).bindList("ids", InList.of(jobs)).execute();
        }
    }

    /** Locks a lease; returns whether there is one. */
    boolean lock(Handle h, int owner, String id) {
        return h.createQuery(LOCK)
                .bind("owner", owner)
                .bind("id", id)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    int count(Handle h, int owner) {
        return h.createQuery(COUNT).bind("owner", owner).mapTo(Integer.class).one();
    }

    void put(Handle h, int owner, String id, Instant until) {
        h.createUpdate(PUT)
                .bind("owner", owner)
                .bind("id", id)
                .bind("until", until)
                .execute();
    }

    /** Gives a lease, whose row is locked, back to the jobs that lost it when it ran out. */
    void revive(Handle h, int owner, String id) {
        List<Integer> left = h.createQuery(LEFT)
                .bind("owner", owner)
                .bind("id", id)
                .mapTo(Integer.class)
                .list();
        if (!left.isEmpty()) {
            h.createUpdate(REVIVE)
                    .bindList("ids", InList.of(left))
                    .bind("owner", owner)
                    .bind("id", id)
                    .execute();
        }
    }

    Optional<Lease> get(Handle h, int owner, String id, Instant now) {
        return h.createQuery(GET)
                .bind("owner", owner)
                .bind("id", id)
                .bind("now", now)
                .map((r, c) -> lease(r.getString("client_id"), r.getTimestamp("expires_at")))
                .findOne();
    }

    List<Lease> ofOwner(Handle h, int owner, Instant now) {
        return h.createQuery(LIST)
                .bind("owner", owner)
                .bind("now", now)
                .map((r, c) -> lease(r.getString("client_id"), r.getTimestamp("expires_at")))
                .list();
    }

    int delete(Handle h, int owner, String id, Instant now) {
        return h.createUpdate(DELETE)
                .bind("owner", owner)
                .bind("id", id)
                .bind("now", now)
                .execute();
    }

    private static Lease lease(String id, Timestamp until) {
        return new Lease(id, until.toInstant());
    }
}
