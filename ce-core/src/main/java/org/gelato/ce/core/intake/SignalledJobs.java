package org.gelato.ce.core.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;

/** Jobs whose wrappers ended by a signal without a cancel, until the reason is read. For any thread. */
public final class SignalledJobs {
    /** What a wrapper reports then (base.sh). */
    private static final String WORDS = "Job has been terminated (got SIG";
    /** More at once are a site that shuts down; their reasons are not read. */
    private static final int MOST = 10_000;

    private final Map<Integer, JobRow> rows = new LinkedHashMap<>();

    /** Whether a failure reason begins with a wrapper's word of a signal. */
    public static boolean isSignal(String reason) {
        return reason != null && reason.startsWith(WORDS);
    }

    /** @param row as it stands with its end */
    synchronized void note(JobRow row) {
        if (row.state() == JobState.DONE_FAILED && isSignal(row.failureReason()) && rows.size() < MOST) {
            rows.putIfAbsent(row.id(), row);
        }
    }

    /** Those of these queues, once. */
    public synchronized List<JobRow> take(Collection<Integer> queues) {
        List<JobRow> taken = new ArrayList<>();
        rows.values().removeIf(row -> queues.contains(row.queueId()) && taken.add(row));
        return taken;
    }
}
