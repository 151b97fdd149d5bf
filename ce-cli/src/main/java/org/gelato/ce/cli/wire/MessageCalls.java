package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * MessageCalls and live output of jobs at one CE (docs/user/live.md). Used by one thread. Calls throw what those of {@link ComputingElement}
 * do; for a job that is not there, or another's, a {@link ServiceFault} of kind {@link #UNKNOWN}.
 */
public interface MessageCalls {
    /** Kind of the fault of an unknown job. */
    String UNKNOWN = "JobUnknownFault";

    /** Jobs that can be read at once. */
    int MAX_JOBS = 100;

    /**
     * Asks for the live output of a job.
     *
     * @return false when the job has ended
     */
    boolean wantOutput(String localId);

    /**
     * Reads a page.
     *
     * @param after cursor; {@code 0} for the beginning
     * @param limit 1 to 1000
     * @return the cursor after it; null when there is no more
     * @throws LiveEvents.Restarted when the cursor is of another database
     */
    Page page(Query query, String after, int limit, Consumer<Report> reader);

    /**
     * The jobs of the user with a name and labels.
     *
     * @return their labels by their local ids, in the order of registration
     */
    Map<String, Map<String, String>> labels(JobNaming wanted);

    /** The local ids of these jobs alone. */
    default List<String> find(JobNaming wanted) {
        return List.copyOf(labels(wanted).keySet());
    }

    /** The last message of each key of the one job of a query. */
    void latest(Query query, Consumer<Report> reader);

    /**
     * Opens a connection over which messages come as they are stored; the caller closes it.
     *
     * @param after cursor; {@code 0} for the beginning
     * @throws LiveEvents.Restarted when the cursor is of another database
     */
    Live live(Query query, String after);

    /**
     * Which messages.
     *
     * @param jobs at most {@value #MAX_JOBS}; empty for those of the scope
     * @param scope {@code own}, {@code all} or {@code vo:NAME}; counts without jobs
     * @param keys exact, or with {@code *} behind; empty for all
     * @param level the least; null for all
     * @param output whether output, too
     */
    record Query(List<String> jobs, String scope, List<String> keys, String level, boolean output) {
        public Query {
            jobs = List.copyOf(jobs);
            keys = List.copyOf(keys);
        }

        /** The same of other jobs. */
        public Query of(List<String> others) {
            return new Query(others, scope, keys, level, output);
        }
    }

    /**
     * Where a page ended.
     *
     * @param next cursor after it
     * @param more whether another page follows
     */
    record Page(String next, boolean more) {}

    /** What a connection brings. */
    sealed interface Item permits Report, End {
        /** As the CE sent it. */
        JsonNode json();
    }

    /**
     * A message, a piece of output, or a notice of the CE.
     *
     * @param kind {@code message}, {@code stdout}, {@code stderr} or {@code notice}
     * @param number of a message its number in the job; of output the offset of its first byte
     * @param level null for output
     * @param key null for none
     * @param content text in UTF-8; of output any bytes
     */
    record Report(
            String cursor,
            String localId,
            String kind,
            long number,
            Instant sent,
            String level,
            String key,
            byte[] content,
            JsonNode json)
            implements Item {
        private static final Set<String> OUTPUT = Set.of("stdout", "stderr");

        public boolean isOutput() {
            return OUTPUT.contains(kind);
        }
    }

    /**
     * A job has ended, and all of it has come.
     *
     * @param status without a time; state {@code REMOVED} for a job that was purged meanwhile
     */
    record End(String localId, StatusReport status, JsonNode json) implements Item {}

    /** A connection by which reports arrive while a job runs. */
    interface Live extends AutoCloseable {
        /**
         * Waits for what comes next.
         *
         * @return null when the CE ended the connection: all jobs have ended, or another one is to be opened after the cursor
         * @throws ConnectionFailure when the connection broke, or the CE gave no sign of life for long
         */
        Item next() throws InterruptedException;

        /** After all that came, also after what was not wanted; null before the first sign of life. */
        String cursor();

        @Override
        void close();
    }
}
