package org.gelato.ce.core.job;

import java.time.Instant;

/**
 * The hot row of a job as read from the database.
 *
 * @param id row number
 * @param status its current state, as the wire shows it
 * @param stateBeforeHold null unless the job is or was held
 * @param cancelReason description of the last JOB_CANCEL; null when none was requested
 */
public record JobRow(
        int id,
        Registration registration,
        JobStatus status,
        JobState stateBeforeHold,
        String cancelReason,
        BatchJob batchJob) {
    /**
     * What a job was registered with.
     *
     * @param queueId row of the queue of the batch system
     * @param accountId row of the local account
     * @param delegationId the client's text; null when the delegation is gone
     * @param leaseId the client's text, also of a lease that ran out or that an ended job had; null without lease
     */
    public record Registration(
            int ownerId, int queueId, int accountId, Instant at, String delegationId, String leaseId) {}

    /**
     * What the batch system has of a job.
     *
     * @param handOver how far the hand-over to the LRMS got
     * @param attempt hand-overs begun so far, without those that surely did not happen
     * @param at when it took the job; null before
     * @param lrmsId null while it is not known
     * @param workerNode null while it is not known
     */
    public record BatchJob(HandOver handOver, int attempt, Instant at, String lrmsId, String workerNode) {}

    /** How far the hand-over got; the ordinal is the database code. */
    public enum HandOver {
        /** The batch system certainly does not have the job. */
        NONE,
        /** It may have it: the tag must be looked up before another try. */
        SUBMITTING,
        /** It has it, and the LRMS id is known. */
        DONE
    }

    /** The row as it stands once a change is stored. */
    public JobRow after(JobStateMachine.Change change) {
        JobStatus next = new JobStatus(
                change.state(), change.at(), change.exitCode(), change.failureReason(), change.description());
        return new JobRow(id, registration, next, change.stateBeforeHold(), cancelReason, batchJob);
    }

    /** The row with the batch system's id of the job. */
    public JobRow withLrmsId(String lrmsId) {
        BatchJob known =
                new BatchJob(batchJob.handOver(), batchJob.attempt(), batchJob.at(), lrmsId, batchJob.workerNode());
        return new JobRow(id, registration, status, stateBeforeHold, cancelReason, known);
    }

    /** The row with a cancel requested. */
    public JobRow withCancelReason(String reason) {
        return new JobRow(id, registration, status, stateBeforeHold, reason, batchJob);
    }

    /** The state it is in. */
    public JobState state() {
        return status.state();
    }

    /** When it entered the state. */
    public Instant since() {
        return status.since();
    }

    /** The batch system's id of the job; null while it is not known. */
    public String lrmsId() {
        return batchJob.lrmsId();
    }
}
