package org.gelato.ce.core.follow;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Fills in usage records by what polls show of jobs that have ended for the CE: a wrapper reports the end before the batch system
 * has measured it. No query is made for this, since polls show ended jobs for a while anyway.
 *
 * <p>What is found is written together, {@link #PAUSE} after the first of it: a statement for each job would be one more
 * in its budget (docs/developer/design.md section 9). A crash forgets what waits and what is done; the next poll shows it again, as long as the
 * batch system shows ended jobs. A job that has no record yet is tried again a few times, and then passed over: any local user
 * can give a job one of our names. Confined to the poller's thread.
 */
final class EndedUsage {
    static final Duration PAUSE = Duration.ofSeconds(30);
    /** Most tries to write a job's usage. */
    static final int TRIES = 3;

    private final Database database;
    private final UsageRecords usage = new UsageRecords();
    private final Map<Key, Waiting> waiting = new LinkedHashMap<>();
    /** Those written or given up, as long as polls show them. */
    private final Set<Key> settled = new HashSet<>();

    private Instant due;

    /** A batch system may give an id twice (docs/developer/decisions/0050). */
    private record Key(String lrmsId, JobId job) {}

    private record Waiting(UsageRecords.Report report, int tries) {}

    EndedUsage(Database database) {
        this.database = database;
    }

    /**
     * Takes over what a poll has shown.
     *
     * @param followed jobs that had not ended for the CE when the poll began
     */
    void polled(Collection<JobRow> followed, Collection<LrmsJob> shown) {
        Set<String> alive = new HashSet<>();
        followed.forEach(row -> alive.add(row.lrmsId()));
        Set<Key> all = new HashSet<>();
        for (LrmsJob job : shown) {
            if (job.usage() != null && job.state().isEnd() && !alive.contains(job.lrmsId())) {
                JobId.ofTag(job.tag()).map(id -> new Key(job.lrmsId(), id)).ifPresent(key -> {
                    all.add(key);
                    if (!settled.contains(key)) {
                        UsageRecords.Report report = new UsageRecords.Report(key.job(), key.lrmsId(), job.usage());
                        waiting.merge(key, new Waiting(report, 0), (was, now) -> new Waiting(report, was.tries()));
                    }
                });
            }
        }
        settled.retainAll(all);
    }

    /** Writes what waits, when it is time. */
    void store(Instant now) {
        if (waiting.isEmpty()) {
            return;
        }
        if (due == null) {
            due = now.plus(PAUSE);
        }
        if (now.isBefore(due)) {
            return;
        }
        boolean[] all = {true};
        List<Key> rejected = new ArrayList<>();
        List<Key> held = database.batches()
                .write(
                        List.copyOf(waiting.keySet()),
                        part -> all[0] &= merge(part) == part.size(),
                        key -> "what " + key.job() + " used",
                        (key, reason) -> rejected.add(key))
                .members();
        rejected.forEach(waiting::remove);
        settled.addAll(rejected);
        due = null;
        Set<Key> later = Set.copyOf(held);
        waiting.replaceAll((key, one) -> later.contains(key) ? one : new Waiting(one.report(), one.tries() + 1));
        waiting.entrySet().removeIf(entry -> {
            boolean over = !later.contains(entry.getKey())
                    && (all[0] || entry.getValue().tries() >= TRIES);
            return over && settled.add(entry.getKey());
        });
    }

    private int merge(List<Key> keys) {
        List<UsageRecords.Report> reports =
                keys.stream().map(key -> waiting.get(key).report()).toList();
        return database.inTransaction(h -> usage.merge(h, reports));
    }
}
