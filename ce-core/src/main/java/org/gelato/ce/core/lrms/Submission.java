package org.gelato.ce.core.lrms;

import java.nio.file.Path;
import org.gelato.ce.core.jdl.JobRequest;
import org.gelato.ce.core.job.JobId;

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
 */
public record Submission(
        JobId id, int attempt, String account, String queue, Path sandbox, String wrapper, JobRequest request) {
    /** Where the wrapper lies (contract/behaviour.md section 4). */
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
