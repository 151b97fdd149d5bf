package org.gelato.ce.core.intake;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/** SQL of the claims wrappers make over HTTPS. All methods work within the caller's transaction. */
public final class FenceStore {
    public static final String CLAIM = StateSql.of("""
            UPDATE job SET claimed_by = :claimant, claimed_attempt = :attempt, claimed_lrms_id = :lrmsId
            WHERE id = :id AND claimed_by IS NULL AND cancel_reason IS NULL
              AND (state IN {ACTIVE} OR (state = {REGISTERED} AND hand_over > 0))
            """);
    public static final String CLAIMANT = "SELECT claimed_by FROM job WHERE id = :id";
    public static final String CLAIMED =
            "SELECT id, claimed_lrms_id FROM job WHERE id IN (<ids>) AND claimed_by IS NOT NULL";

    /**
     * Claims a job that is started, not ended, not to be cancelled, and nobody's; or whose start a restored database has lost.
     *
     * @param lrmsId the claimant's batch job; null when unknown
     * @return whether it was claimed now
     */
    public boolean claim(Handle h, int id, String claimant, int attempt, String lrmsId) {
        return h.createUpdate(CLAIM)
                        .bind("id", id)
                        .bind("claimant", claimant)
                        .bind("attempt", attempt)
                        .bind("lrmsId", lrmsId)
                        .execute()
                == 1;
    }

    /** Whose a job is; empty when nobody's. */
    public Optional<String> claimant(Handle h, int id) {
        return h.createQuery(CLAIMANT).bind("id", id).mapTo(String.class).findOne();
    }

    /** Of these jobs those that a wrapper has claimed, with its batch job; empty where that is unknown. */
    public Map<Integer, Optional<String>> claimed(Handle h, Collection<Integer> jobs) {
        return jobs.isEmpty()
                ? Map.of()
                : h.createQuery(CLAIMED)
                        .bindList("ids", InList.of(jobs))
                        .map((row, ctx) -> Map.entry(row.getInt(1), Optional.ofNullable(row.getString(2))))
                        .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
    }
}
