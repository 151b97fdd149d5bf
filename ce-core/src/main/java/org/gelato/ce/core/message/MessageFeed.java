package org.gelato.ce.core.message;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;

/**
 * Stored messages for readers: they keep the id of the last one they have, their cursor, and read what comes after it. Ids are visible
 * in their order (docs/developer/decisions/0013), so a reader that continues from its cursor gets everything once, on whatever node it reads.
 * Thread-safe.
 */
public interface MessageFeed {
    /** The number of a caller as owner, for {@link Scope}. */
    int owner(Caller caller);

    /** When the database was made: ids of a database of another time mean nothing in this one. */
    Instant databaseMade();

    /** The largest id there is; 0 when there is none. One statement. */
    long last();

    /** The owners of the messages in a range of ids. One statement. */
    Set<Integer> ownersBetween(long after, long to);

    /**
     * The first messages after a cursor; one statement.
     *
     * @param after exclusive
     * @param to inclusive, at most {@link #last()}
     * @param most returned at most
     * @return by id; fewer than {@code most} when there are no more
     */
    List<Message> after(Scope scope, long after, long to, int most);

    /**
     * The last messages of a job before an id, the newest first; one statement.
     *
     * @param before exclusive
     * @return fewer than {@code most} when there are no more
     */
    List<Message> before(JobId job, long before, int most);

    /** The last message of each key of a job, by id; those without a key are one of them. One statement. */
    List<Message> latest(JobId job);

    /**
     * How jobs stand; one statement.
     *
     * @param jobs at most 1000
     * @return without those that do not exist
     */
    Map<JobId, Standing> standing(Collection<JobId> jobs);

    /**
     * Asks for the live output of a job from now on; a repetition changes nothing. Jobs that have ended are passed over.
     *
     * @return whether the job was there and had not ended
     */
    boolean wantOutput(JobId job);

    /** Whose messages are read. */
    sealed interface Scope {
        /** Messages of all jobs. */
        record All() implements Scope {}

        /** Of jobs; at most 100. */
        record Jobs(Set<JobId> jobs) implements Scope {}

        /** Of the jobs of one owner. */
        record Owner(int id) implements Scope {}

        /** Of the jobs of all owners in a VO. */
        record Vo(String name) implements Scope {}
    }

    /**
     * How a job stands.
     *
     * @param owner number of the job's owner
     * @param exitCode of an ended job that has one; null otherwise
     * @param failureReason null for none
     * @param complete whether the job has ended and nothing of it will be stored any more
     */
    record Standing(int owner, JobState state, String exitCode, String failureReason, boolean complete) {}
}
