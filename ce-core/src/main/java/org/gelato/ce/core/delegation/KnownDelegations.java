package org.gelato.ce.core.delegation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.delegation.DelegationStore.DelegationKey;
import org.gelato.ce.core.service.JobDelegations.Ref;

/**
 * Delegations that registrations named a moment ago, so that a client who registers job after job does not have its
 * delegation read each time (docs/developer/decisions/0061). Another node may have ended one since: then its row is gone and the
 * database refuses jobs with it. Or renewed it: it only ends later than is known here. So an end that has come is never
 * taken from here. Thread-safe.
 */
final class KnownDelegations {
    static final Duration KEPT = Duration.ofSeconds(10);

    private record Known(Ref delegation, Instant readAt) {}

    private final ByteBoundedCache<DelegationKey, Known> known =
            new ByteBoundedCache<>(CacheShare.DELEGATIONS, (key, found) -> ByteBoundedCache.weight(key.clientId()));
    private long changes;

    /** Changes of this node so far; to be read before the database is. */
    synchronized long changes() {
        return changes;
    }

    /** Empty unless it was read within {@link #KEPT} and has not ended. */
    synchronized Optional<Ref> find(DelegationKey key, Instant now) {
        return known.get(key)
                .filter(k -> !k.readAt().isAfter(now) && k.readAt().plus(KEPT).isAfter(now))
                .map(Known::delegation)
                .filter(delegation -> delegation.expiresAt().isAfter(now));
    }

    /**
     * Remembers what was read.
     *
     * @param before the changes before it was read: nothing is remembered when there was one since
     */
    synchronized void add(DelegationKey key, Ref delegation, Instant readAt, long before) {
        if (changes == before) {
            known.put(key, new Known(delegation, readAt));
        }
    }

    /** The delegation was changed or ended here, or is not what was found. */
    synchronized void forget(DelegationKey key) {
        changes++;
        known.remove(key);
    }
}
