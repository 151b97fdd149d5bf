package org.gelato.ce.core.event;

import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobStatus;

/**
 * A job entered a state.
 *
 * @param id grows with every event of the database; gaps are normal
 * @param gridJobId the JDL's {@code edg_jobid}; null without
 * @param workerNode where the job runs or ran; null when not known
 */
public record JobEvent(long id, JobId job, JobStatus status, String gridJobId, String workerNode) {}
