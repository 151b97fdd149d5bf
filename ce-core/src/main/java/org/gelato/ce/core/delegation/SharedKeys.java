package org.gelato.ce.core.delegation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.delegation.KeyPool.RequestKey;
import org.gelato.ce.core.identity.Identity;

/**
 * Key pairs that new delegations of one owner share for a while: HTCondor delegates for each job, and a key costs more than all the rest of
 * it. What that means for security is in docs/developer/decisions/0099-shared-keys.md. In memory only. Thread-safe.
 */
final class SharedKeys {
    private static final int MAX_OWNERS = 1000;

    private final KeyPool pool;
    private final Duration reuse;
    private final Clock clock;
    private final int most;
    /** By kind, subject and group of the owner, oldest first. */
    private final Map<List<String>, Shared> byOwner = new LinkedHashMap<>();

    private record Shared(RequestKey key, Instant since) {}

    /** @param reuse how long a key is given out; zero: each delegation has a key of its own */
    SharedKeys(KeyPool pool, Duration reuse, Clock clock) {
        this(pool, reuse, clock, MAX_OWNERS);
    }

    /** @param most owners remembered at once; beyond, the oldest key is shared no more */
    SharedKeys(KeyPool pool, Duration reuse, Clock clock, int most) {
        this.pool = pool;
        this.reuse = reuse;
        this.clock = clock;
        this.most = most;
    }

    /** Whether keys are shared at all. */
    boolean areShared() {
        return !reuse.isZero();
    }

    /** The key for a new delegation, whose id was not used before, where keys are shared. */
    RequestKey forNew(Identity owner) {
        List<String> name = List.of(owner.kind().name(), owner.subject(), owner.group());
        Instant now = clock.instant();
        synchronized (byOwner) {
            forget(now);
            Shared known = byOwner.get(name);
            if (known != null) {
                return known.key();
            }
        }
        // Outside the lock, as it may take long; of two at once the later one is shared.
        RequestKey key = pool.take();
        synchronized (byOwner) {
            byOwner.remove(name);
            byOwner.put(name, new Shared(key, now));
        }
        return key;
    }

    private void forget(Instant now) {
        Iterator<Shared> oldest = byOwner.values().iterator();
        while (oldest.hasNext()) {
            Shared next = oldest.next();
            if (byOwner.size() < most && next.since().plus(reuse).isAfter(now)) {
                return;
            }
            oldest.remove();
        }
    }
}
