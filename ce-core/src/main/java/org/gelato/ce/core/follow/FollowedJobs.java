package org.gelato.ce.core.follow;

import java.util.Map;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;

/** The jobs of the database as the poller reads and changes them: the stores of one database, and the rules of job states. */
public record FollowedJobs(Database database, JobStore jobs, SandboxStore sandboxes, JobStateMachine machine) {
    /**
     * The job of a row; one that got its id after the batch system forgot the first holder is not.
     *
     * @param byId what the batch system shows, by its ids
     * @return null where it is not shown
     */
    LrmsJob shown(JobRow row, Map<String, LrmsJob> byId) {
        LrmsJob job = byId.get(row.lrmsId());
        return job != null && job.isOf(sought(row, job.submitted() != null)) ? job : null;
    }

    private Lrms.Lookup sought(JobRow row, boolean byAccount) {
        return new Lrms.Lookup(
                sandboxes.id(row.id()).tag(),
                byAccount ? sandboxes.account(row.registration().accountId()) : null,
                row.lrmsId(),
                row.batchJob().at());
    }
}
