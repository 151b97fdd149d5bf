package org.gelato.ce.lrms.torque;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Reads what became of a qsub call. Every result that is in doubt is {@link SubmitResult.Unclear}, which costs a
 * look-up; {@link SubmitResult.Unavailable} is returned only where no job can exist. Pure.
 */
final class QsubAnswer {
    private static final Pattern ID = Pattern.compile("(?m)^\\s*([0-9]{1,15}\\.[A-Za-z0-9][A-Za-z0-9._-]*)\\s*$");
    private static final Pattern NUMBER = Pattern.compile("(?m)^\\s*([0-9]{1,10})\\s*$");

    private QsubAnswer() {}

    static SubmitResult of(Completed completed, boolean slurm) {
        // Slurm's qsub prints errors to stdout
        String output = slurm ? completed.stdout() + "\n" + completed.stderr() : completed.stderr();
        String message = TorqueMessages.brief(output);
        if (completed.timedOut()) {
            return new SubmitResult.Unclear("qsub did not end in time" + (message.isEmpty() ? "" : ": " + message));
        }
        if (completed.exit() == 0) {
            return accepted(completed, slurm ? NUMBER : ID, message);
        }
        if (completed.exit() == 126 || completed.exit() == 127) {
            return new SubmitResult.Unavailable("qsub could not be run: " + message);
        }
        return slurm ? ofSlurm(completed.exit(), output, message) : ofTorque(completed.exit(), message);
    }

    static SubmitResult of(Throwable failure) {
        Throwable cause = Causes.of(failure);
        if (cause instanceof AccountCommandException refused) {
            return switch (refused.code()) {
                case REFUSED -> new SubmitResult.Refused(refused.getMessage());
                // qsub was not started: its sandbox, its script or the program itself was not available
                case BUSY, FAILED, NO_SUCH_FILE ->
                    new SubmitResult.Unavailable(refused.getMessage(), SubmitResult.Scope.ofFailure(refused));
            };
        }
        return new SubmitResult.Unclear("the fate of qsub is unknown: " + cause.getMessage());
    }

    private static SubmitResult accepted(Completed completed, Pattern pattern, String message) {
        Matcher ids = pattern.matcher(completed.stdout());
        String id = null;
        // a site's submit filter may print before it
        while (ids.find()) {
            id = ids.group(1);
        }
        if (id != null && id.length() > LrmsJob.LONGEST_ID) {
            return new SubmitResult.Unclear(
                    "the job id has more than " + LrmsJob.LONGEST_ID + " characters: " + TorqueMessages.brief(id));
        }
        return id == null
                ? new SubmitResult.Unclear("qsub succeeded without a job id: "
                        + (message.isEmpty() ? TorqueMessages.brief(completed.stdout()) : message))
                : new SubmitResult.Accepted(id);
    }

    private static SubmitResult ofTorque(int exit, String message) {
        String reason = message.isEmpty() ? "qsub ended with status " + exit : message;
        if (exit == 1) {
            // before the server was called
            if (message.contains("can not be run as root")) {
                return new SubmitResult.Refused(reason);
            }
            return message.contains("cannot be loaded")
                    ? new SubmitResult.Unavailable(reason)
                    : new SubmitResult.Unclear(reason);
        }
        return switch (ServerCode.ofSubmission(exit)) {
            case REFUSED -> new SubmitResult.Refused(reason);
            case NOT_NOW -> new SubmitResult.Unavailable(reason, ServerCode.scope(exit, reason));
            case UNKNOWN -> new SubmitResult.Unclear(reason + " (status " + exit + ")");
        };
    }

    /** The Perl around sbatch shows sbatch's own message after the command it ran. */
    private static SubmitResult ofSlurm(int exit, String output, String message) {
        String reason = message.isEmpty() ? "qsub ended with status " + exit : message;
        int at = reason.indexOf("sbatch: error:");
        String sbatch = at < 0 ? reason : reason.substring(at);
        if (TorqueMessages.slurmTakesNothing(output)) {
            return new SubmitResult.Unavailable(sbatch, TorqueMessages.slurmScope(output));
        }
        if (at < 0 || ServerCode.killed(exit) || TorqueMessages.slurmGaveNoVerdict(output)) {
            return new SubmitResult.Unclear(sbatch);
        }
        return new SubmitResult.Refused(sbatch);
    }
}
