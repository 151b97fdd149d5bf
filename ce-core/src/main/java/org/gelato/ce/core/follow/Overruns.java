package org.gelato.ce.core.follow;

import java.time.Instant;
import java.util.ArrayList;
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
import org.gelato.ce.core.lrms.LrmsJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that the batch system runs although they have ended for the CE. A job knows its secret and may send its own DONE; the time it runs
 * on is used nevertheless. Such jobs are named in the log once, those of a round in one line, and the usage record of each ends when the
 * batch system no more shows it as running.
 *
 * <p>While no job is followed, the batch system is queried for this only with every {@link #PATIENCE}th poll, for a job may end so between
 * two rounds, or before a start of the CE. Nothing of the database is read before a job was seen running for {@link #PATIENCE} rounds after
 * its end, for a wrapper tidies up then. What is found is written every {@link #PATIENCE} rounds, so a crash loses no more of it. Confined
 * to the poller's thread.
 */
final class Overruns {
    /** Rounds after a job's end, in which its wrapper may still tidy up. */
    static final int PATIENCE = 10;

    /** Jobs in a line of the log; of a batch system that is stuck it could be thousands. */
    private static final int MAX_NAMED = 20;

    private static final Logger log = LoggerFactory.getLogger(Overruns.class);

    private final String lrms;
    private final Database database;
    private final UsageRecords usage = new UsageRecords();
    private final Map<String, Suspect> suspects = new HashMap<>();
    private int rests;

    /** A job the batch system runs and the CE does not follow: not ours, or ended. */
    private static final class Suspect {
        private final JobId job;
        private int rounds;
        private boolean named;

        Suspect(JobId job) {
            this.job = job;
        }
    }

    Overruns(String lrms, Database database) {
        this.lrms = lrms;
        this.database = database;
    }

    /** Whether a round that follows no job may do without a poll; called once in each such round. */
    boolean mayRest() {
        rests = suspects.isEmpty() ? (rests + 1) % PATIENCE : 0;
        return rests != 0;
    }

    /**
     * Checks what a poll has shown.
     *
     * @param followed jobs that had not ended when the poll began
     */
    void check(Collection<JobRow> followed, Collection<LrmsJob> shown, Instant observed) {
        Set<String> known = new HashSet<>();
        followed.forEach(row -> known.add(row.lrmsId()));
        Set<String> running = new HashSet<>();
        for (LrmsJob job : shown) {
            if (job.state() == LrmsJob.State.RUNNING && !known.contains(job.lrmsId())) {
                JobId.ofTag(job.tag()).ifPresent(id -> {
                    running.add(job.lrmsId());
                    suspects.computeIfAbsent(job.lrmsId(), x -> new Suspect(id));
                });
            }
        }
        Map<JobId, String> due = new HashMap<>();
        suspects.forEach((lrmsId, suspect) -> {
            boolean runs = running.contains(lrmsId);
            suspect.rounds += runs ? 1 : 0;
            if (runs ? suspect.rounds % PATIENCE == 0 : suspect.named) {
                due.put(suspect.job, lrmsId);
            }
        });
        if (!due.isEmpty()) {
            List<JobId> found = new ArrayList<>();
            database.batches()
                    .write(
                            List.copyOf(due.keySet()),
                            part -> found.addAll(
                                    database.inTransaction(h -> usage.usedUntil(h, of(part, due), observed))),
                            job -> "until when " + job + " is accounted",
                            (job, reason) -> {});
            name(found, due);
        }
        suspects.keySet().retainAll(running);
    }

    private static Map<JobId, String> of(List<JobId> part, Map<JobId, String> due) {
        Map<JobId, String> some = new HashMap<>(due);
        some.keySet().retainAll(Set.copyOf(part));
        return some;
    }

    private void name(Collection<JobId> found, Map<JobId, String> due) {
        List<String> names = new ArrayList<>();
        for (JobId job : found) {
            Suspect suspect = suspects.get(due.get(job));
            if (!suspect.named) {
                suspect.named = true;
                names.add(job + " as " + due.get(job));
            }
        }
        if (!names.isEmpty()) {
            log.warn(
                    "{} still runs jobs whose wrappers have reported their end: {}. They are accounted until they end there;"
                            + " cancel there what should not run",
                    lrms,
                    bounded(names));
        }
    }

    /** Names for a line of the log. */
    static String bounded(List<String> names) {
        int more = names.size() - MAX_NAMED;
        return String.join(", ", names.subList(0, Math.min(names.size(), MAX_NAMED)))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
