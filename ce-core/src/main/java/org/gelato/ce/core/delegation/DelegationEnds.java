package org.gelato.ce.core.delegation;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.gelato.ce.core.db.SqlTime;
import org.jdbi.v3.core.Handle;

/** When delegated proxies end, over all users and nodes. Holds no state. */
public final class DelegationEnds {
    // One index entry. Tokens end within the hour and are no worry: jobs outlive them.
    static final String NEAREST = "SELECT MIN(expires_at) AS nearest FROM delegation WHERE kind = 0";
    // So many entries at the most, whatever is stored.
    static final String SOON = "SELECT 1 FROM delegation FORCE INDEX (delegation_expiry)"
            + " WHERE kind = 0 AND expires_at < :now LIMIT 10000";

    /**
     * @param nearest the end that comes first; null when nothing is delegated
     * @param soon how many end within the time that was given; counted up to 10 000
     */
    public record Ends(Instant nearest, long soon) {}

    private DelegationEnds() {}

    /** Reads the ends of all delegations. */
    public static Ends read(Handle h, Instant now, Duration within) {
        return new Ends(
                h.createQuery(NEAREST).map((r, context) -> SqlTime.get(r, "nearest")).stream()
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null),
                h.createQuery("SELECT COUNT(*) FROM (" + SOON + ") soon")
                        .bind("now", now.plus(within))
                        .mapTo(Long.class)
                        .one());
    }
}
