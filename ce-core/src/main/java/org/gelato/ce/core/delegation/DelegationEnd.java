package org.gelato.ce.core.delegation;

import org.gelato.ce.core.audit.AuditTrail;

/** What must happen to jobs when their delegation ends; implemented where jobs are. Thread-safe. */
@FunctionalInterface
public interface DelegationEnd {
    /**
     * Orders the cancellation of all jobs that use a delegation and have not ended. Called before the row goes, and again
     * when an earlier try broke: jobs that are being cancelled already must be left alone. Must not wait for the LRMS.
     *
     * @param delegationRowId number of the delegation's row
     * @param reason description of the cancel commands
     */
    void cancelJobsOf(int delegationRowId, String reason);

    /**
     * Who is notified of what happens to delegations.
     *
     * @param end of every one that ends
     * @param audit of what callers do
     */
    record Listeners(DelegationEnd end, AuditTrail audit) {}
}
