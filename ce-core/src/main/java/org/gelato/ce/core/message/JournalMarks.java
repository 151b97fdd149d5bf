package org.gelato.ce.core.message;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.gelato.ce.core.db.ValueRows;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.jdbi.v3.core.Handle;

/**
 * Marks jobs that end, in the transaction of their end, so that what they sent and the CE lacks is read from their journals. A job that sent
 * nothing, or never ran, costs no statement.
 */
public final class JournalMarks {
    /** Marks nothing: for a CE without messages. */
    public static final JournalMarks NONE =
            new JournalMarks(false, new KnownRows(), new DueSignal(), Clock.systemUTC());

    // The last pieces of output may be in the spool still, which is read in no order.
    private static final Duration OUTPUT_ON_THE_WAY = Duration.ofSeconds(2);

    // Each assignment sees those before it. Who has all that its job sent, and nothing to sum up, is closed at once.
    static final String MARK = """
            INSERT INTO job_messages (job_id, owner_id, expected, due_at)
            SELECT v.id, j.owner_id, v.expected, v.due FROM (<rows>) v STRAIGHT_JOIN job j ON j.id = v.id
            ON DUPLICATE KEY UPDATE
              job_messages.expected = COALESCE(VALUES(expected), job_messages.expected),
              job_messages.closed = job_messages.closed OR COALESCE(job_messages.last_number >= job_messages.expected
                AND job_messages.dropped = 0 AND job_messages.dropped_bytes = 0 AND job_messages.live = 0
                AND job_messages.output_bytes = 0, FALSE),
              job_messages.due_at = IF(job_messages.closed, NULL, IF(job_messages.live > 0 OR job_messages.output_bytes > 0,
                v.later, VALUES(due_at)))
            """;
    static final List<String> MARKED = List.of("id", "expected", "due", "later");

    private final boolean journals;
    private final KnownRows known;
    private final DueSignal due;
    private final Clock clock;

    /**
     * @param journals whether the CE sees the journals of jobs
     * @param due is raised when a job was marked
     */
    public JournalMarks(boolean journals, KnownRows known, DueSignal due, Clock clock) {
        this.journals = journals;
        this.known = known;
        this.due = due;
        this.clock = clock;
    }

    /**
     * Whether the end of a job whose wrapper says that it has sent no messages is to be marked nevertheless: it has sent output, or somebody
     * wants that. Where this process does not know, the sweep finds such jobs.
     */
    public boolean mayHaveRow(int job) {
        return known.contains(job);
    }

    /**
     * Jobs whose wrapper said at the end how many messages it has sent; their rows are locked. No statement for none.
     *
     * @param sent messages by row of the job
     */
    public void announced(Handle h, Map<Integer, Long> sent) {
        mark(h, new TreeMap<>(sent));
    }

    /**
     * Jobs that end without their wrapper's word; their rows are locked. No statement for jobs that never ran, and none where the CE does
     * not see the journals: there the sweep finds those that sent something.
     *
     * @param before as they stood
     */
    public void ended(Handle h, Collection<JobRow> before) {
        TreeMap<Integer, Long> ran = new TreeMap<>();
        if (journals) {
            before.stream().filter(JournalMarks::hadBegun).forEach(row -> ran.put(row.id(), null));
        }
        mark(h, ran);
    }

    private static boolean hadBegun(JobRow row) {
        JobState state = row.state() == JobState.HELD ? row.stateBeforeHold() : row.state();
        return state == JobState.RUNNING || state == JobState.REALLY_RUNNING;
    }

    private void mark(Handle h, SortedMap<Integer, Long> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        Instant now = clock.instant();
        // By HTTPS output comes before the end, or not at all.
        Instant later = journals ? now.plus(OUTPUT_ON_THE_WAY) : now;
        List<Object[]> rows = new ArrayList<>();
        jobs.forEach((job, sent) -> rows.add(new Object[] {job, sent, now, later}));
        ValueRows.update(h, MARK, MARKED, rows);
        h.afterCommit(due::raise);
    }
}
