package org.gelato.ce.core.sandbox;

import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;

/** Who may touch which job's files: one read each, by the job's number. Thread-safe; nothing is held after the result. */
public interface Sandboxes {
    /**
     * A job of this caller, or any job for an administrator.
     *
     * @throws ServiceException INVALID_ARGUMENT when there is none; foreign jobs read as unknown
     */
    JobSandbox of(Caller caller, JobId job);

    /**
     * The job a wrapper runs, authenticated by the secret it was given at hand-over.
     *
     * @throws ServiceException.NotAuthorized for a wrong secret and for an unknown job alike
     */
    JobSandbox ofWrapper(JobId job, String token);
}
