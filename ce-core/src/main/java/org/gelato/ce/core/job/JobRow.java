package org.gelato.ce.core.job;

import java.time.Instant;

/**
 * The hot row of a job as read from the database.
 *
 * @param id row number
 * @param queueId row of the queue of the batch system
 * @param stateBeforeHold null unless the job is or was held
 * @param handOver how far the hand-over to the LRMS got
 * @param attempt hand-overs begun so far, without those that surely did not happen
 * @param cancelReason description of the last JOB_CANCEL; null when none was requested
 * @param delegationId the client's text; null when the delegation is gone
 * @param leaseId the client's text, also of a lease that ran out or that an ended job had; null without lease
 * @param accountId row of the local account
 */
public record JobRow(
        int id,
        int ownerId,
        int queueId,
        JobState state,
        JobState stateBeforeHold,
        Instant since,
        HandOver handOver,
        int attempt,
        String cancelReason,
        String lrmsId,
        String workerNode,
        String exitCode,
        String failureReason,
        String description,
        Instant registeredAt,
        Instant handedOverAt,
        String delegationId,
        String leaseId,
        int accountId) {

    /** The row as it stands once a change is stored. */
    public JobRow after(JobStateMachine.Change change) {
        return new JobRow(
                id,
                ownerId,
                queueId,
                change.state(),
                change.stateBeforeHold(),
                change.at(),
                handOver,
                attempt,
                cancelReason,
                lrmsId,
                workerNode,
                change.exitCode(),
                change.failureReason(),
                change.description(),
                registeredAt,
                handedOverAt,
                delegationId,
                leaseId,
                accountId);
    }

    /** The row with the batch system's id of the job. */
    public JobRow withLrmsId(String id) {
        return new JobRow(
                this.id,
                ownerId,
                queueId,
                state,
                stateBeforeHold,
                since,
                handOver,
                attempt,
                cancelReason,
                id,
                workerNode,
                exitCode,
                failureReason,
                description,
                registeredAt,
                handedOverAt,
                delegationId,
                leaseId,
                accountId);
    }

    /** The row with a cancel requested. */
    public JobRow withCancelReason(String reason) {
        return new JobRow(
                id,
                ownerId,
                queueId,
                state,
                stateBeforeHold,
                since,
                handOver,
                attempt,
                reason,
                lrmsId,
                workerNode,
                exitCode,
                failureReason,
                description,
                registeredAt,
                handedOverAt,
                delegationId,
                leaseId,
                accountId);
    }

    /** The current state as the wire shows it. */
    public JobStatus status() {
        return new JobStatus(state, since, exitCode, failureReason, description);
    }

    /** How far the hand-over got; the ordinal is the database code. */
    public enum HandOver {
        /** The batch system certainly does not have the job. */
        NONE,
        /** It may have it: the tag must be looked up before another try. */
        SUBMITTING,
        /** It has it, and the LRMS id is known. */
        DONE
    }
}
