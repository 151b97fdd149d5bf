package org.gelato.ce.lrms.condor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * All jobs of ours in HTCondor's queue: a listing of all from time to time, and between of those alone whose status changed since. What
 * leaves the queue is noticed by the next listing of all. Thread-safe; a crash forgets what the first listing shows again.
 */
final class QueueView {
    /** Between listings of all. */
    static final Duration WHOLE = Duration.ofMinutes(1);
    /** By which the clocks of this host and of the schedd may differ. */
    static final Duration SLACK = Duration.ofMinutes(1);

    private final Clock clock;
    private final Function<String, CompletableFuture<CondorListing>> listings;
    private final Map<String, CondorListing.Shown> jobs = new HashMap<>();
    private Instant whole = Instant.MIN;
    private Instant last = Instant.MIN;

    /** @param listings lists the jobs for which a constraint holds */
    QueueView(Clock clock, Function<String, CompletableFuture<CondorListing>> listings) {
        this.clock = clock;
        this.listings = listings;
    }

    /** One listing; fails when that does. */
    CompletableFuture<CondorListing> now() {
        Instant begun = clock.instant();
        boolean all;
        Instant since;
        synchronized (this) {
            all = !begun.isBefore(whole.plus(WHOLE)) || begun.isBefore(last);
            since = last;
        }
        String constraint = all
                ? CondorOwnAccountCommands.OURS
                : CondorOwnAccountCommands.CHANGED + since.minus(SLACK).getEpochSecond();
        return listings.apply(constraint).thenApply(listing -> merged(listing, begun, all));
    }

    private synchronized CondorListing merged(CondorListing listing, Instant begun, boolean all) {
        if (all) {
            jobs.clear();
            whole = begun;
        }
        last = begun;
        listing.shown().forEach(one -> jobs.put(key(one), one));
        return new CondorListing(List.copyOf(jobs.values()), 0);
    }

    private static String key(CondorListing.Shown one) {
        return one.job().lrmsId() == null
                ? one.tag() + ' ' + one.owner()
                : one.job().lrmsId();
    }
}
