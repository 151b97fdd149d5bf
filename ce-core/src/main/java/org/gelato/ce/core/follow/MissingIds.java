package org.gelato.ce.core.follow;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;

/**
 * Jobs that are in the batch system by their wrapper's word alone: the hand-over's result was unclear, or a restored database
 * knows nothing of it, and the wrapper does not know its LRMS id. They are looked up by their tag; until then nobody could
 * cancel them or see them vanish. No query while there is no such job.
 *
 * <p>Used by one thread per batch system. Keeps in memory only which jobs the batch system has not got: a restart looks them
 * up again.
 */
final class MissingIds {
    /** A hand-over may be about to return the id. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(2);

    private final BatchHistory history;
    private final SandboxStore sandboxes;
    private final Set<Integer> absent = new HashSet<>();

    MissingIds(BatchHistory history, SandboxStore sandboxes) {
        this.history = history;
        this.sandboxes = sandboxes;
    }

    /** The jobs, with the ids that were found, which are stored. */
    List<JobRow> filled(List<JobRow> followed, Instant now) throws InterruptedException {
        absent.clear();
        List<JobRow> due = followed.stream()
                .filter(row ->
                        row.lrmsId() == null && !row.since().plus(UNDER_WAY).isAfter(now))
                .toList();
        if (due.isEmpty()) {
            return followed;
        }
        Map<Integer, SandboxStore.Place> places =
                sandboxes.of(due.stream().map(JobRow::id).toList());
        Optional<Map<String, LrmsJob>> found = history.find(due.stream()
                .filter(row -> places.containsKey(row.id()))
                .map(row -> history.lookup(row, places.get(row.id())))
                .toList());
        if (found.isEmpty()) {
            return followed;
        }
        List<JobRow> filled = new ArrayList<>();
        for (JobRow row : followed) {
            SandboxStore.Place place = row.lrmsId() == null ? places.get(row.id()) : null;
            LrmsJob job = place == null ? null : found.get().get(place.id().tag());
            if (job != null && !job.isUnreadable() && sandboxes.adopt(row.id(), job.lrmsId())) {
                filled.add(row.withLrmsId(job.lrmsId()));
            } else {
                filled.add(row);
                if (place != null && job == null) {
                    absent.add(row.id());
                }
            }
        }
        return filled;
    }

    /** Whether the batch system certainly has not got the job. */
    boolean isAbsent(JobRow row) {
        return absent.contains(row.id());
    }
}
