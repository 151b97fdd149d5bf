package org.gelato.ce.core.lrms;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The port to a batch system. Calls return at once. Implementations start processes only through {@code AccountCommands}
 * and keep no state that a crash may lose: what they must remember is in the batch system or in the job's row.
 */
public interface Lrms extends AutoCloseable {
    /** The name in a CE id and in the JDL's BatchSystem, for example {@code slurm}. */
    String name();

    /** What of a description reaches the batch system with a hand-over; of all else the job's owner is warned. */
    default SupportedRequests supportedRequests() {
        return SupportedRequests.NONE;
    }

    /**
     * Hands jobs over, each on its own.
     *
     * @return one future per submission, in order; they never fail but complete with a {@link SubmitResult}
     */
    List<CompletableFuture<SubmitResult>> submit(List<Submission> batch);

    /**
     * Cancels jobs, all of one account; ids that are unknown or ended already count as cancelled.
     *
     * @return per LRMS id null for success or the batch system's message
     */
    CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds);

    /**
     * Holds queued jobs, and suspends running ones where the site allows that. A job for which the result is a message is left as
     * it was: none runs on with a hold. Result as of {@link #cancel}.
     */
    CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds);

    /** Releases held jobs that have not run, no suspended ones; result as of {@link #cancel}. */
    CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds);

    /** As {@link #release}, of jobs that {@link #hold} held or suspended, and nobody else since. */
    default CompletableFuture<Map<String, String>> resume(String account, Collection<String> lrmsIds) {
        return release(account, lrmsIds);
    }

    /** All jobs of ours the batch system shows, queued, running and just ended: one process whatever the number. */
    CompletableFuture<List<LrmsJob>> poll();

    /**
     * The same with jobs that nothing but their id may show as ours, or for a batch system that must be queried job by job.
     *
     * @param followed LRMS ids of the jobs that have not ended
     */
    default CompletableFuture<List<LrmsJob>> poll(Collection<String> followed) {
        return poll();
    }

    /** Whether polls show ended jobs until they are taken out of its queue, after {@link #endsStored}; constant. */
    default boolean keepsEnded() {
        return false;
    }

    /**
     * The ends of these jobs, which polls show, are stored, maybe by an earlier process: they may be taken out of the queue by later polls.
     * Returns at once.
     */
    default void endsStored(Collection<String> lrmsIds) {}

    /** Whether a text has the form of its ids: a wrapper may report any, and one that has not reaches no command. */
    default boolean isId(String text) {
        return true;
    }

    /** Whether the id that a job reports for itself, from its environment, is this LRMS id. */
    default boolean isSame(String lrmsId, String reportedId) {
        return lrmsId.equals(reportedId);
    }

    /**
     * Looks jobs up by tag in the queue, and in history or logs for ended ones. A batch system in which any local user may give
     * a job one of our names passes over the jobs of other accounts.
     *
     * @return the jobs found, by tag; a tag that is absent is known not to have been accepted. One for which that is not
     *     known, as something that may be the job can't be read, is {@link LrmsJob#unreadable}: it costs no other job its
     *     result. Fails when nothing is known of any.
     */
    CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups);

    /** Whether {@link #find} takes a few commands however many jobs are looked up; constant. Otherwise it is used for the few that need it. */
    default boolean findsManyAtOnce() {
        return true;
    }

    /**
     * Which ids still belong to the jobs they were given to. A batch system that may lose its latest jobs, and then gives
     * their ids to other jobs, must query: what is done to jobs by id must not be done to others. Other batch systems need
     * not.
     *
     * @param jobs with their ids
     * @return the ids of those jobs that the batch system shows; or all ids, where none is ever given twice
     */
    default CompletableFuture<Set<String>> stillOwned(Collection<Lookup> jobs) {
        return CompletableFuture.completedFuture(
                jobs.stream().map(Lookup::lrmsId).collect(Collectors.toSet()));
    }

    /** Which of the ends that it causes the batch system shows as such; constant. */
    default Ends ends() {
        return Ends.ALL;
    }

    /**
     * What the batch system itself wrote among a job's error output, for the job's owner.
     *
     * @param line of that output, not blank; a job can write there too
     * @return the text without the batch system's marks; empty for any other line
     */
    default Optional<String> vendorMessage(String line) {
        return Optional.empty();
    }

    /**
     * Why no job can be handed over though the batch system itself is up, with what to do: the only way that the site's
     * configuration leaves cannot be used. Returns at once.
     *
     * @return one line; empty for nothing known
     */
    default Optional<String> handOverTrouble() {
        return Optional.empty();
    }

    /**
     * What an administrator is to mend though jobs are handed over and followed, with how. Returns at once.
     *
     * @return one line; empty for nothing known
     */
    default Optional<String> warning() {
        return Optional.empty();
    }

    /**
     * Whether the batch system is reachable, with its message when it is not: the probe by which alone all hand-over pauses for faults.
     */
    CompletableFuture<Health> health();

    /**
     * Queues, slots, limits and version. Starts {@link #statusCommands()} processes, whatever the number of nodes.
     *
     * @return {@link ClusterStatus#UNKNOWN} from a batch system without such a command; fails when the command fails
     */
    default CompletableFuture<ClusterStatus> status() {
        return CompletableFuture.completedFuture(ClusterStatus.UNKNOWN);
    }

    /** How many processes one {@link #status()} starts. */
    default int statusCommands() {
        return 0;
    }

    /** What an administrator types to look at it. */
    default DiagnosticCommands diagnosticCommands() {
        return DiagnosticCommands.none(name());
    }

    @Override
    default void close() {}

    /** Which ends a batch system shows as its own doing. */
    enum Ends {
        /** Each: limits, failures of nodes, cancels. A job that it shows as ended by itself did so. */
        ALL(true, true, true),
        /** The same, but a job that waits again may have ended by itself, when the batch system crashed before it had written that. */
        NOT_REQUEUES(true, true, false),
        /** Limits and failures; a job that was cancelled may look as if it had ended by itself. */
        NOT_CANCELS(false, true, true),
        /** The same, but a job that waits again as with {@link #NOT_REQUEUES}. */
        FAILURES(false, true, false),
        /** Cancels; of other ends the job's wrapper knows more. */
        CANCELS(true, false, true);

        private final boolean cancels;
        private final boolean failures;
        private final boolean requeues;

        Ends(boolean cancels, boolean failures, boolean requeues) {
            this.cancels = cancels;
            this.failures = failures;
            this.requeues = requeues;
        }

        /** Whether a job that was cancelled is always shown so. */
        public boolean tellCancels() {
            return cancels;
        }

        /** Whether it took a job off its node that ran and waits again. */
        public boolean tellRequeues() {
            return requeues;
        }

        /** Whether its word that it ended a job counts against the wrapper's that the job ended well. */
        public boolean tellFailures() {
            return failures;
        }
    }

    /**
     * A job to look up.
     *
     * @param tag the job name, {@code cream_nnnnnnnnn}
     * @param account that owns it
     * @param lrmsId null when no hand-over returned one
     * @param handedOver when it was returned, by the CE's clock; null where that is not known
     */
    record Lookup(String tag, String account, String lrmsId, Instant handedOver) {
        /** A job of which is not known when it was handed over. */
        public Lookup(String tag, String account, String lrmsId) {
            this(tag, account, lrmsId, null);
        }
    }

    /**
     * @param up whether it is reachable
     * @param detail its version or its error
     */
    record Health(boolean up, String detail) {}
}
