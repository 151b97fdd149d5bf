package org.gelato.ce.core.follow;

import java.time.Instant;
import java.util.Optional;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * How a job ended, by its wrapper's report, a requested cancel and the batch system's word: the list in docs/developer/reliability.md, "Who decides
 * how a job ended". Pure.
 */
final class EndDecision {
    private final JobStateMachine machine;
    private final Lrms.Ends ends;

    EndDecision(JobStateMachine machine, Lrms.Ends ends) {
        this.machine = machine;
        this.ends = ends;
    }

    /** Whether the batch system says that the job did not end by itself: it counts against a wrapper that says it did. */
    boolean isAgainst(LrmsJob job) {
        return switch (job.state()) {
            // without a node it may be a guess about a job that cannot be found
            case CANCELLED -> ends.tellCancels() || job.workerNode() != null;
            case QUEUED, HELD -> job.isInQueue() && ends.tellRequeues();
            case FAILED -> ends.tellFailures();
            default -> false;
        };
    }

    /**
     * The end of a job that has none yet.
     *
     * @param report of the wrapper
     * @param word of the batch system, which shows the job as ended or as waiting again; null when it has none
     * @param text of it, as {@link BatchWords} makes it; null when it has none
     */
    Optional<JobStateMachine.Change> of(JobRow row, Instant at, WrapperEvent report, LrmsJob word, String text) {
        String exit = report.exitCode() == null ? null : report.exitCode().toString();
        String reason = report.failure();
        if (report.signal() != null && report.isClean()) {
            reason = WrapperEvent.terminated(report.signal());
        }
        boolean cancelled = word != null && word.state() == LrmsJob.State.CANCELLED;
        if (cancelled && (isAgainst(word) || row.cancelReason() != null)) {
            return machine.cancelled(row, at);
        }
        if (word != null && isAgainst(word)) {
            return machine.failed(row, at, exit, joined(reason, text), report.warning());
        }
        if (!report.isClean()) {
            return machine.failed(
                    row, at, exit, report.signal() == null ? reason : joined(reason, text), report.warning());
        }
        boolean byItself = word != null && word.state() == LrmsJob.State.DONE && ends.tellCancels();
        if (row.cancelReason() != null) {
            return byItself && report.signal() == null
                    ? machine.done(row, at, exit, report.warning())
                    : machine.cancelled(row, at);
        }
        if (report.signal() != null && !(byItself && Integer.valueOf(0).equals(word.exitCode()))) {
            return machine.failed(row, at, exit, joined(reason, text), report.warning());
        }
        return machine.done(row, at, exit, report.warning());
    }

    private static String joined(String reason, String text) {
        if (reason == null) {
            return text;
        }
        return text == null ? reason : reason + "; " + text;
    }
}
