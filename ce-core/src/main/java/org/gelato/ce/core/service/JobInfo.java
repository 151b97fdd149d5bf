package org.gelato.ce.core.service;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.json.JobDetail;

/**
 * The full record of a job, for its owner or an admin (docs/developer/protocol/cream2-wire.md section 4). Fields that hide behind
 * {@code [reserved]} for non-admins come as null from the store and are named by {@link #reserved}.
 *
 * @param gridJobId JDL {@code edg_jobid}; null when absent
 * @param lrmsId batch id, null before hand-over and for callers who may not see it
 * @param reserved true when the caller may not see {@code lrmsId} and {@code sandbox}
 * @param delegationId the client's text; null when the delegation is gone
 * @param delegationInfo text of docs/developer/protocol/cream2-wire.md section 8; null when the delegation is gone
 * @param workerNode null before the job ran
 * @param account local account
 * @param sandbox the sandbox directory on the CE; never null (the URIs derive from it)
 * @param jdl exactly as submitted
 * @param leaseId null when the job has no lease
 * @param leaseTime end of the lease; null when the job has none
 * @param history oldest first; never empty
 * @param commands oldest first
 * @param details what protocols pass on by its name alone; immutable, without what is not known
 * @param delegationEnd when its proxy or token ends; null when the delegation is gone
 */
public record JobInfo(
        JobId id,
        String gridJobId,
        String lrmsId,
        boolean reserved,
        String delegationId,
        String delegationInfo,
        String workerNode,
        String account,
        String sandbox,
        String jdl,
        String type,
        String leaseId,
        Instant leaseTime,
        List<JobStatus> history,
        List<CommandRecord> commands,
        Map<JobDetail, String> details,
        Instant delegationEnd) {
    public JobInfo {
        details = JobDetail.copy(details);
    }
}
