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
 * All jobs of ours in HTCondor's queue: a listing of all from time to time, and between of those alone whose status changed since; none
 * where it is known that nothing did. What leaves the queue is noticed by the next listing of all. Thread-safe; a crash forgets what the first listing shows again.
 */
final class QueueView {
    /** Between listings of all. */
    static final Duration WHOLE = Duration.ofMinutes(1);
    /** By which the clocks of this host and of the schedd may differ. */
    static final Duration SLACK = Duration.ofMinutes(1);
    /** After news, for the schedd shows a change later than a shadow logs it. */
    static final Duration UNSETTLED = Duration.ofSeconds(10);

    private final Clock clock;
    private final Function<String, CompletableFuture<CondorListing>> listings;
    private final Map<String, CondorListing.Shown> jobs = new HashMap<>();
    private Instant whole = Instant.MIN;
    private Instant last = Instant.MIN;
    private Instant unsettledUntil = Instant.MIN;
    private long news;
    private long newsListed;

    /** @param listings lists the jobs for which a constraint holds */
    QueueView(Clock clock, Function<String, CompletableFuture<CondorListing>> listings) {
        this.clock = clock;
        this.listings = listings;
    }

    /** Jobs may have changed. */
    synchronized void changed() {
        news++;
        unsettledUntil = clock.instant().plus(UNSETTLED);
    }

    /** At most one listing; fails when that does. */
    CompletableFuture<CondorListing> now() {
        Instant begun = clock.instant();
        boolean all;
        Instant since;
        long listed;
        synchronized (this) {
            all = !begun.isBefore(whole.plus(WHOLE)) || begun.isBefore(last);
            since = last;
            listed = news;
            if (!all && newsListed == news && begun.isAfter(unsettledUntil)) {
                return CompletableFuture.completedFuture(shown());
            }
        }
        String constraint = all
                ? CondorOwnAccountCommands.OURS
                : CondorOwnAccountCommands.CHANGED + since.minus(SLACK).getEpochSecond();
        return listings.apply(constraint).thenApply(listing -> merged(listing, begun, all, listed));
    }

    private synchronized CondorListing merged(CondorListing listing, Instant begun, boolean all, long listed) {
        if (all) {
            jobs.clear();
            whole = begun;
        }
        last = begun;
        newsListed = Math.max(newsListed, listed);
        listing.shown().forEach(one -> jobs.put(key(one), one));
        return shown();
    }

    private CondorListing shown() {
        return new CondorListing(List.copyOf(jobs.values()), List.of(), true);
    }

    private static String key(CondorListing.Shown one) {
        return one.job().lrmsId() == null
                ? one.tag() + ' ' + one.owner()
                : one.job().lrmsId();
    }
}
