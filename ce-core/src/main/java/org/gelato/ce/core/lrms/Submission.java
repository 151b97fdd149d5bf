package org.gelato.ce.core.lrms;

import java.nio.file.Path;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.json.RouteSettings;

/**
 * One job to hand over.
 *
 * @param id the job
 * @param attempt number of this hand-over, from 1
 * @param account local account to submit as
 * @param queue the batch system's queue or partition
 * @param sandbox the job's directory, made by the hand-over when absent
 * @param wrapper text of the wrapper script, to be written to {@link #wrapperFile()} in the same helper message
 * @param request the checked JDL: CPUs, GPUs and the like
 * @param settings what the site's routes give it
 * @param origin whose job it is, for batch systems that keep accounts; null where it does not matter
 */
public record Submission(
        JobId id,
        int attempt,
        String account,
        String queue,
        Path sandbox,
        String wrapper,
        JobRequest request,
        RouteSettings settings,
        Origin origin) {
    /**
     * Whose job it is.
     *
     * @param proxyFile the delegation's proxy on this host; null without one
     * @param ceId {@code host:port/cream-lrms-queue}
     * @param fromIce whether an instance of the WMS registered it
     */
    public record Origin(Owner owner, Path proxyFile, String ceId, boolean fromIce) {}

    /** A submission without routes. */
    public Submission(
            JobId id,
            int attempt,
            String account,
            String queue,
            Path sandbox,
            String wrapper,
            JobRequest request,
            Origin origin) {
        this(id, attempt, account, queue, sandbox, wrapper, request, RouteSettings.NONE, origin);
    }

    /** A submission without routes, whose origin does not matter. */
    public Submission(
            JobId id, int attempt, String account, String queue, Path sandbox, String wrapper, JobRequest request) {
        this(id, attempt, account, queue, sandbox, wrapper, request, (Origin) null);
    }

    /** Where the wrapper lies (docs/developer/protocol/behaviour.md section 4). */
    public Path wrapperFile() {
        return sandbox.resolve(id + "_jobWrapper.sh");
    }

    /** stdout of the wrapper, not of the payload. */
    public Path stdout() {
        return sandbox.resolve("StandardOutput");
    }

    /** stderr of the wrapper, not of the payload. */
    public Path stderr() {
        return sandbox.resolve("StandardError");
    }
}
