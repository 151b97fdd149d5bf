package org.gelato.ce.core.delegation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.delegation.DelegationStore.Ending;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends delegations whose time is over, and those that no job needs where a user is near the quota, and forgets requests without a signed proxy. {@link #sweep} is called on a schedule
 * from one thread per node; several nodes may sweep at once, and a sweep that was cut short is finished by the next. A
 * delegation that is renewed before its turn in the sweep stays, with its jobs and its file.
 */
public final class DelegationSweeper {
    private static final Logger log = LoggerFactory.getLogger(DelegationSweeper.class);
    private static final Duration REQUEST_LIFE = Duration.ofDays(1);
    /** A job registered in the last moment of a token keeps it. */
    private static final Duration TOKEN_GRACE = Duration.ofMinutes(10);

    /** A delegation is there before its job is. */
    private static final Duration UNUSED_FOR = Duration.ofHours(1);

    private static final int BATCH = 500;
    private static final int LIMIT = 10_000;

    private final DelegationStore store;
    private final DelegationRemoval removal;
    private final ProxyFileWriter writer;
    private final Delegations.Quota quota;
    private final Clock clock;

    DelegationSweeper(
            DelegationStore store,
            DelegationRemoval removal,
            ProxyFileWriter writer,
            Delegations.Quota quota,
            Clock clock) {
        this.quota = quota;
        this.store = store;
        this.removal = removal;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * Sweeps once, and writes files that earlier writes failed for.
     *
     * @return delegations ended
     */
    public int sweep() {
        Instant now = clock.instant();
        Instant tokensBy = now.minus(TOKEN_GRACE);
        int ended = end(store.expired(now, LIMIT), now) + end(store.expiredTokens(tokensBy, LIMIT), tokensBy);
        ended += end(removal.left(LIMIT), now);
        ended += endUnused(now.minus(UNUSED_FOR));
        while (store.deleteRequestsBefore(now.minus(REQUEST_LIFE), BATCH) == BATCH) {
            // chunks keep the locks short
        }
        writer.repair();
        return ended;
    }

    /** Where users are near their quota: clients that delegate for each job leave each job's delegation behind. */
    private int endUnused(Instant before) {
        int ended = 0;
        for (Map.Entry<Integer, Delegations.Quota.Used> person :
                store.tight(quota).entrySet()) {
            int surplus = Math.min(LIMIT, quota.surplus(person.getValue()));
            List<Ending> unused = store.unused(person.getKey(), before, surplus);
            int ofPerson = 0;
            for (int from = 0; from < unused.size(); from += BATCH) {
                List<Ending> batch = unused.subList(from, Math.min(unused.size(), from + BATCH));
                ofPerson += removal.endUnused(batch, before);
            }
            log.info(
                    "a user is near the quota of delegations with {} and {} bytes: {} that no job needs are removed",
                    person.getValue().stored(),
                    person.getValue().bytes(),
                    ofPerson);
            ended += ofPerson;
        }
        return ended;
    }

    private int end(List<Ending> expired, Instant now) {
        int ended = 0;
        for (int from = 0; from < expired.size(); from += BATCH) {
            ended += removal.end(
                    expired.subList(from, Math.min(expired.size(), from + BATCH)), now, DelegationSweeper::stays);
        }
        return ended;
    }

    private static void stays(Ending delegation, RuntimeException why) {
        log.error("delegation {} has ended and stays until its jobs can be cancelled", delegation.id(), why);
    }
}
