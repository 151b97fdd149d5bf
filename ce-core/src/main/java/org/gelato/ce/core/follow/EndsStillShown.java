package org.gelato.ce.core.follow;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Jobs whose ends are stored, in a batch system that shows them until they are taken out, where they count as its accounts' jobs: it is
 * given their ids, also those that an earlier process left. They are known by their usage records, which outlive a purge.
 *
 * <p>Costs one statement a poll for up to {@link #MAX} jobs that polls show first, and again at most once an hour for those of others; none where the
 * batch system takes out none. Keeps what it knows in memory: a crash forgets that, and the next poll shows it again. Confined to the
 * poller's thread.
 */
final class EndsStillShown {
    /** Between polls for these jobs alone. */
    static final Duration PAUSE = Duration.ofMinutes(1);
    /** After which what was no job of ours is looked up again: a job may be shown before its end is stored. */
    static final Duration AGAIN = Duration.ofHours(1);

    static final int MAX = 500;

    private final Lrms lrms;
    private final Database database;
    private final UsageRecords usage = new UsageRecords();
    private final Set<Key> ours = new HashSet<>();
    /** With when they were looked up. */
    private final Map<Key, Instant> others = new HashMap<>();

    private Instant polled = Instant.MIN;

    private record Key(String lrmsId, JobId job) {}

    EndsStillShown(Lrms lrms, Database database) {
        this.lrms = lrms;
        this.database = database;
    }

    /** Whether to poll for these jobs, though no other is followed. */
    boolean isDue(Instant now) {
        return !ours.isEmpty() && (now.isBefore(polled) || !now.isBefore(polled.plus(PAUSE)));
    }

    /**
     * Takes over what a poll has shown.
     *
     * @param followed jobs that had not ended for the CE when the poll began
     */
    void polled(Collection<JobRow> followed, Collection<LrmsJob> shown, Instant now) {
        polled = now;
        if (!lrms.keepsEnded()) {
            return;
        }
        Set<String> alive = new HashSet<>();
        followed.forEach(row -> alive.add(row.lrmsId()));
        Set<Key> ended = new HashSet<>();
        Map<JobId, String> fresh = new HashMap<>();
        Map<JobId, String> old = new HashMap<>();
        for (LrmsJob job : shown) {
            if (!job.state().isEnd() || alive.contains(job.lrmsId())) {
                continue;
            }
            JobId.ofTag(job.tag()).map(id -> new Key(job.lrmsId(), id)).ifPresent(key -> {
                ended.add(key);
                if (ours.contains(key)) {
                    return;
                }
                Instant lookedUp = others.get(key);
                if (lookedUp == null && fresh.size() < MAX) {
                    fresh.putIfAbsent(key.job(), key.lrmsId());
                } else if (lookedUp != null && old.size() < MAX && isOld(lookedUp, now)) {
                    old.putIfAbsent(key.job(), key.lrmsId());
                }
            });
        }
        ours.retainAll(ended);
        others.keySet().retainAll(ended);
        // New ones first: jobs of others, however many, hide none of ours.
        old.entrySet().stream()
                .limit(MAX - fresh.size())
                .forEach(one -> fresh.putIfAbsent(one.getKey(), one.getValue()));
        if (fresh.isEmpty()) {
            return;
        }
        Set<JobId> stored = Set.copyOf(database.read(h -> usage.ended(h, fresh)));
        fresh.forEach((job, lrmsId) -> {
            Key key = new Key(lrmsId, job);
            if (stored.contains(job)) {
                others.remove(key);
                ours.add(key);
            } else {
                others.put(key, now);
            }
        });
        List<String> ids = stored.stream().map(fresh::get).toList();
        if (!ids.isEmpty()) {
            lrms.endsStored(ids);
        }
    }

    /** Also where the clock was set back. */
    private static boolean isOld(Instant lookedUp, Instant now) {
        return !now.isBefore(lookedUp.plus(AGAIN)) || now.isBefore(lookedUp);
    }
}
