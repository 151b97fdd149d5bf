package org.gelato.ce.core.intake;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.job.JobStore;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * SQL of ends that wrappers have reported and that are not stored as the jobs' ends before the batch system's word is known
 * (docs/developer/decisions/0091). A job that ends as most do costs no statement. All methods work within the caller's transaction.
 */
public final class ReportedEnds {
    static final String KEEP =
            "INSERT IGNORE INTO reported_end (job_id, event, reported_at) VALUES (:job, :event, :now)";
    public static final String OF_JOBS = "SELECT job_id, event, reported_at FROM reported_end WHERE job_id IN (<ids>)";
    /** The most that {@link #before} reads. */
    public static final int MAX = 1000;

    public static final String WAITING =
            "SELECT job_id FROM reported_end WHERE reported_at < :before ORDER BY reported_at LIMIT " + MAX;
    public static final String SETTLED = "DELETE FROM reported_end WHERE job_id IN (<ids>)";

    /** Keeps ends by the rows of their jobs; of two of a job the first counts. */
    void keep(Handle h, Map<Integer, WrapperEvent> ends, Instant now) {
        if (ends.isEmpty()) {
            return;
        }
        PreparedBatch batch = h.prepareBatch(KEEP);
        ends.forEach((id, end) -> batch.bind("job", id)
                .bind("event", end.bytes())
                .bind("now", now)
                .add());
        batch.execute();
    }

    private record StoredEvent(int job, byte[] event, LocalDateTime at) {}

    /** Of these jobs those of which one is kept and can be read, what was kept first first. */
    public Map<Integer, WrapperEvent> of(Handle h, Collection<Integer> jobs) {
        List<StoredEvent> all = new ArrayList<>();
        for (List<Integer> slice : JobStore.slices(List.copyOf(jobs))) {
            h.createQuery(OF_JOBS)
                    .bindList("ids", InList.of(slice))
                    .map((r, c) -> new StoredEvent(r.getInt(1), r.getBytes(2), r.getObject(3, LocalDateTime.class)))
                    .forEach(all::add);
        }
        all.sort(Comparator.comparing(StoredEvent::at));
        Map<Integer, WrapperEvent> ends = new LinkedHashMap<>();
        all.forEach(one -> WrapperEvent.parse(one.event()).ifPresent(end -> ends.put(one.job(), end)));
        return ends;
    }

    /** The rows of the jobs whose ends were kept before a time, the oldest, {@link #MAX} at the most. */
    public List<Integer> before(Handle h, Instant before) {
        return h.createQuery(WAITING)
                .bind("before", before)
                .mapTo(Integer.class)
                .list();
    }

    /** Forgets the ends of jobs whose ends are stored. */
    public void settled(Handle h, Collection<Integer> jobs) {
        for (List<Integer> slice : JobStore.slices(List.copyOf(jobs))) {
            h.createUpdate(SETTLED).bindList("ids", InList.of(slice)).execute();
        }
    }
}
