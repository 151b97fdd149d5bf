package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.json.SiteJob;

/**
 * A client of one CE. Jobs are named by their local ids. Used by one thread.
 *
 * <p>Every call throws {@link ServiceFault} when the CE refuses it, {@link ConnectionFailure} when it can't be reached, and
 * {@link CliException} for anything else, also for what its protocol can't do; all with a message for the user.
 */
public interface ComputingElement {
    /** The CE this client talks to. */
    Endpoint endpoint();

    /**
     * Sees before anything is sent whether a description is in a language of this protocol.
     *
     * @throws CliException when it is not, naming the protocol that takes it
     */
    void check(String description);

    /** How many descriptions one {@link #register} is given at most. */
    int registrationsAtOnce();

    /** Whether a job that is registered runs without {@link #start}, as soon as its files are there. */
    boolean startsWithRegistration();

    /**
     * Delegates the user's proxy under a new id.
     *
     * @return the id; empty for a user without a proxy, whose jobs have none
     */
    Optional<String> delegate();

    /** Delegates the user's proxy under an id of the user's choice: request, signature, upload. */
    void delegate(String delegationId);

    /** Replaces the proxy of a delegation: request, signature, upload. */
    void renew(String delegationId);

    /**
     * Registers jobs. Where the protocol has a call that starts jobs, none of them starts before {@link #start}; in the other,
     * each starts with the last file that it is brought, at once when there is none.
     *
     * @param delegationId null for jobs without a proxy
     * @return one result per description, in the same order; the value is the local job id
     */
    List<Response<String>> register(List<JobText> descriptions, String delegationId);

    /**
     * Uploads a file for a job this client has registered and not started.
     *
     * @param progress receives the number of bytes sent
     */
    void upload(String localId, InputFile file, LongConsumer progress);

    /** Starts registered jobs. @return the refusals only */
    List<Response<Void>> start(List<String> localIds);

    /** @return the refusals only */
    List<Response<Void>> cancel(JobSelector jobs);

    /** @return the refusals only */
    List<Response<Void>> purge(JobSelector jobs);

    /** @return the refusals only */
    List<Response<Void>> suspend(JobSelector jobs);

    /** @return the refusals only */
    List<Response<Void>> resume(JobSelector jobs);

    /** The last state of each job, in the order requested. */
    List<Response<StatusReport>> status(JobSelector jobs);

    /** All that is known of each job, in the order requested. */
    List<Response<JobReport>> info(JobSelector jobs);

    /** The local ids of all jobs of the user. */
    List<String> list();

    ServiceReport serviceInfo();

    /** Opens or closes the CE for new jobs; for its administrators. */
    void acceptJobs(boolean accept);

    EventBatch events(EventSelector events);

    /**
     * Events of the user's jobs as they happen.
     *
     * @param cursor of the last event that was seen: its id, or database and id with a dash between; 0 for all events,
     *     null for those from now on
     * @return empty when the CE can't do so; the caller closes it
     * @throws LiveEvents.Restarted when the cursor is of another database
     */
    Optional<LiveEvents> live(String cursor);

    /** MessageCalls and live output of jobs. */
    MessageCalls messages();

    LeaseCalls leases();

    /**
     * The files a job left behind.
     *
     * @param all whether those that were brought, too, where the protocol has both in one directory
     */
    List<OutputFile> outputFiles(String localId, boolean all);

    /** The content of one of {@link #outputFiles}; the caller closes it. @throws IOException while reading only */
    InputStream output(String localId, String name);

    /**
     * How the CE would authorize a user, and what a job gets; for administrators only.
     *
     * @param queue of the job; null for none
     * @param cores of the job; null for one
     */
    Explanation explain(String dn, List<String> fqans, String queue, Integer cores);

    /**
     * Drains, enables, bans, unbans and accounts; for administrators only, except for one's own usage.
     *
     * @param method {@code GET} to read, {@code PUT} to set, {@code DELETE} to end
     * @param what {@code drains}, {@code bans}, {@code usage} or {@code accounting}
     * @param parameters those that are null are left out
     */
    JsonNode control(String method, String what, Map<String, String> parameters);

    /** Passes the jobs of all users on, oldest first; for administrators only. */
    void siteJobs(SiteJobFilter filter, Consumer<SiteJob> jobs);
}
