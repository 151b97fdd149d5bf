package org.gelato.ce.core.follow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.text.Words;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last ends before a start that are still to be compared with the batch system's history, in slices: it would take minutes to report
 * on ten thousand. A slice that it does not report on is given up after {@link #TRIES} failures in a row, and from then on each other one
 * after its first failure. Confined to the poller's thread.
 */
final class LastEnds {
    private static final Logger log = LoggerFactory.getLogger(LastEnds.class);

    /** Jobs in a slice. */
    static final int SLICE = 500;

    static final int TRIES = 3;

    private final String lrms;
    private final Deque<JobRow> rows;
    private int slice;
    private int failures;
    private int givenUp;
    private String failure;

    LastEnds(String lrms, Collection<JobRow> rows) {
        this.lrms = lrms;
        this.rows = new ArrayDeque<>(rows);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * The next slice.
     *
     * @param shown LRMS ids of jobs that a poll shows, which are left out from now on
     */
    List<JobRow> next(Set<String> shown) {
        rows.removeIf(row -> row.lrmsId() == null || shown.contains(row.lrmsId()));
        List<JobRow> next = new ArrayList<>();
        for (Iterator<JobRow> all = rows.iterator(); all.hasNext() && next.size() < SLICE; ) {
            next.add(all.next());
        }
        slice = next.size();
        return next;
    }

    /** The slice is compared. */
    void compared() {
        failures = 0;
        drop();
    }

    /** The batch system did not report on the slice. */
    void failed(Throwable why) {
        failure = Words.of(why);
        if (++failures >= TRIES) {
            givenUp += slice;
            drop();
        }
    }

    private void drop() {
        for (int i = 0; i < slice; i++) {
            rows.remove();
        }
        slice = 0;
        if (rows.isEmpty() && givenUp > 0) {
            log.warn(
                    "{} did not report how {} jobs ended that ended before the start, they stay as their wrappers reported: {}",
                    lrms,
                    givenUp,
                    failure);
        }
    }
}
