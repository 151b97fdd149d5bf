package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A client of one CE. Jobs are named by their local ids. Used by one thread.
 *
 * <p>Every call throws {@link ServiceFault} when the CE refuses it, {@link ConnectionFailure} when it can't be reached, and
 * {@link org.gelato.ce.cli.terminal.CliException} for anything else; all with a message for the user.
 */
public interface ComputingElement {
    /** The CE this client talks to. */
    Endpoint endpoint();

    /** Delegates the user's proxy under a new id: request, signature, upload. */
    void delegate(String delegationId);

    /** Replaces the proxy of a delegation: request, signature, upload. */
    void renew(String delegationId);

    /**
     * Registers jobs without starting them.
     *
     * @return one result per description, in the same order; the value is the local job id
     */
    List<Answer<String>> register(List<String> jdls, String delegationId);

    /**
     * Uploads a file for a job this client has registered and not started.
     *
     * @param progress receives the number of bytes sent
     */
    void upload(String localId, InputFile file, LongConsumer progress);

    /** Starts registered jobs. @return the refusals only */
    List<Answer<Void>> start(List<String> localIds);

    /** @return the refusals only */
    List<Answer<Void>> cancel(JobSelector jobs);

    /** @return the refusals only */
    List<Answer<Void>> purge(JobSelector jobs);

    /** @return the refusals only */
    List<Answer<Void>> suspend(JobSelector jobs);

    /** @return the refusals only */
    List<Answer<Void>> resume(JobSelector jobs);

    /** The last state of each job, in the order requested. */
    List<Answer<StatusReport>> status(JobSelector jobs);

    /** All that is known of each job, in the order requested. */
    List<Answer<JobReport>> info(JobSelector jobs);

    /** The local ids of all jobs of the user. */
    List<String> list();

    ServiceReport serviceInfo();

    /** Opens or closes the CE for new jobs; for its administrators. */
    void acceptJobs(boolean accept);

    EventBatch events(EventSelector events);

    Leases leases();

    /** The files a job left behind. */
    List<OutputFile> outputFiles(String localId);

    /** The content of one of {@link #outputFiles}; the caller closes it. @throws IOException while reading only */
    InputStream output(String localId, String name);

    /** How the CE would authorize a user; for administrators only. */
    MappingReport explain(String dn, List<String> fqans);

    /**
     * Drains, enables, bans and unbans; for administrators only.
     *
     * @param method {@code GET} to read, {@code PUT} to set, {@code DELETE} to end
     * @param what {@code drains} or {@code bans}
     * @param parameters those that are null are left out
     */
    JsonNode control(String method, String what, Map<String, String> parameters);

    /** Passes the jobs of all users on, oldest first; for administrators only. */
    void siteJobs(SiteJob.Filter filter, Consumer<SiteJob> jobs);
}
