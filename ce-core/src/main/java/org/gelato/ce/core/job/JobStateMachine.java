package org.gelato.ce.core.job;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The transition rules of docs/developer/protocol/behaviour.md section 1, one named method per event. Pure but for a counter of
 * refused events: callers lock the job's row, check here, and store the change in the same transaction. An event that the
 * rules ignore yields nothing and changes nothing.
 *
 * <p>One rule is narrower than the original's: an observation of the batch system never takes a job back from running to
 * queued, because batch systems show stale states for up to a minute (docs/developer/protocol/lrms.md).
 */
public final class JobStateMachine {
    /** Exit codes of a payload that got SIGTERM or SIGKILL. */
    private static final Set<Integer> KILLED = Set.of(143, 137);

    private final LongAdder refused = new LongAdder();

    /**
     * A change to store.
     *
     * @param update false for a new record of the history; true when the last record (of the same final state) is updated
     * @param stateBeforeHold what to return to after a hold; null when not held
     */
    public record Change(
            JobState state,
            Instant at,
            JobState stateBeforeHold,
            String exitCode,
            String failureReason,
            String description,
            boolean update) {
        /** The same with a description of the state; null for none. */
        public Change described(String text) {
            return new Change(state, at, stateBeforeHold, exitCode, failureReason, text, update);
        }
    }

    /** Whether the exit code, which may be null, is that of a payload that got SIGTERM or SIGKILL. */
    public static boolean isKilled(Integer exitCode) {
        return exitCode != null && KILLED.contains(exitCode);
    }

    /** The user started the job. */
    public Optional<Change> started(JobRow job, Instant at) {
        return job.state() == JobState.REGISTERED ? to(job, JobState.PENDING, at) : refuse();
    }

    /** The batch system has the job in a queue. */
    public Optional<Change> queued(JobRow job, Instant at) {
        boolean waiting = job.state() == JobState.PENDING || job.state() == JobState.HELD;
        return waiting && !at.isBefore(job.since()) ? to(job, JobState.IDLE, at) : refuse();
    }

    /** The batch system holds the job. */
    public Optional<Change> held(JobRow job, Instant at) {
        if (job.state().isFinal() || job.state() == JobState.HELD || at.isBefore(job.since())) {
            return refuse();
        }
        return Optional.of(new Change(JobState.HELD, at, job.state(), null, null, null, false));
    }

    /** The job wrapper runs, or the batch system reports so. */
    public Optional<Change> running(JobRow job, Instant at) {
        JobState s = job.state();
        if (s.isFinal() || s == JobState.RUNNING || s == JobState.REALLY_RUNNING || !at.isAfter(job.since())) {
            return refuse();
        }
        boolean resumed = s == JobState.HELD && job.stateBeforeHold() == JobState.REALLY_RUNNING;
        return to(job, resumed ? JobState.REALLY_RUNNING : JobState.RUNNING, at);
    }

    public Optional<Change> reallyRunning(JobRow job, Instant at) {
        return job.state().isFinal() || job.state() == JobState.REALLY_RUNNING
                ? refuse()
                : to(job, JobState.REALLY_RUNNING, at);
    }

    /**
     * The wrapper ended well; the payload's exit code may be non-zero. Batch systems signal the payload and its wrapper at
     * once, and the wrapper may see the payload's end first: what was to be cancelled and ended so counts as cancelled.
     */
    public Optional<Change> done(JobRow job, Instant at, String exitCode) {
        return done(job, at, exitCode, null);
    }

    /** The same; {@code warning} is what its user should know nevertheless, null for nothing. */
    public Optional<Change> done(JobRow job, Instant at, String exitCode, String warning) {
        boolean killed = KILLED.stream().anyMatch(code -> code.toString().equals(exitCode));
        if (job.cancelReason() != null && !job.state().isFinal() && killed) {
            return cancelled(job, at);
        }
        return end(job, JobState.DONE_OK, at, exitCode, null, warning);
    }

    /** The wrapper or the delivery of the payload failed; a job that was to be cancelled counts as cancelled. */
    public Optional<Change> failed(JobRow job, Instant at, String exitCode, String reason) {
        return failed(job, at, exitCode, reason, null);
    }

    /** The same; {@code warning} is what its user should know beside the reason, null for nothing. */
    public Optional<Change> failed(JobRow job, Instant at, String exitCode, String reason, String warning) {
        if (job.cancelReason() != null && !job.state().isFinal()) {
            return cancelled(job, at);
        }
        return end(job, JobState.DONE_FAILED, at, exitCode, reason, warning);
    }

    /** The job was cancelled, by request or behind our back. */
    public Optional<Change> cancelled(JobRow job, Instant at) {
        return cancelled(job, at, null);
    }

    /** The same; {@code reason} is what was given for it behind our back, null for none. */
    public Optional<Change> cancelled(JobRow job, Instant at, String reason) {
        String behind = "Cancelled by CE admin" + (reason == null ? "" : ": " + reason);
        return end(job, JobState.CANCELLED, at, null, null, job.cancelReason() == null ? behind : job.cancelReason());
    }

    /**
     * The batch system says of a job that ended by its wrapper's word that it cancelled it: an event of its own, because clients may
     * have seen the end before.
     */
    public Optional<Change> correctedToCancelled(JobRow job, Instant at, String reason) {
        boolean wrapper = job.state() == JobState.DONE_OK || job.state() == JobState.DONE_FAILED;
        return wrapper ? cancelled(unended(job), at, reason) : refuse();
    }

    /** The batch system says of a job that ended well by its wrapper's word that it ended it; likewise. A cancel does not count. */
    public Optional<Change> correctedToFailed(JobRow job, Instant at, String reason) {
        return job.state() == JobState.DONE_OK
                ? end(unended(job), JobState.DONE_FAILED, at, job.status().exitCode(), reason, null)
                : refuse();
    }

    private static JobRow unended(JobRow job) {
        return job.after(new Change(JobState.REALLY_RUNNING, job.since(), null, null, null, null, false));
    }

    /** The CE could not handle the job. */
    public Optional<Change> aborted(JobRow job, Instant at, String reason) {
        return end(job, JobState.ABORTED, at, null, reason, null);
    }

    /** How many events the rules ignored so far. */
    public long refused() {
        return refused.sum();
    }

    private Optional<Change> end(
            JobRow job, JobState state, Instant at, String exitCode, String reason, String description) {
        if (!job.state().isFinal()) {
            Instant since = at.isBefore(job.since()) ? job.since() : at;
            return Optional.of(new Change(state, since, null, exitCode, reason, description, false));
        }
        boolean repeated = job.state() == state && (state == JobState.DONE_OK || state == JobState.DONE_FAILED);
        if (!repeated) {
            return refuse();
        }
        String exit = exitCode == null || exitCode.equals("W") ? job.status().exitCode() : exitCode;
        return Optional.of(new Change(
                state,
                job.since(),
                null,
                exit,
                joined(job.status().failureReason(), reason),
                description == null ? job.status().description() : description,
                true));
    }

    private static String joined(String old, String added) {
        if (old == null || old.isEmpty()) {
            return added;
        }
        return added == null || added.isEmpty() || old.contains(added) ? old : old + "; " + added;
    }

    private static Optional<Change> to(JobRow job, JobState state, Instant at) {
        Instant since = at.isBefore(job.since()) ? job.since() : at;
        return Optional.of(new Change(state, since, null, null, null, null, false));
    }

    private Optional<Change> refuse() {
        refused.increment();
        return Optional.empty();
    }
}
