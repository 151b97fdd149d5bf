package org.gelato.ce.lrms.torque;

import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.command.SubmitResponses;

/** Reads what became of a qsub call. */
final class QsubResponse extends SubmitResponses {
    private static final Pattern ID = Pattern.compile("(?m)^\\s*([0-9]{1,15}\\.[A-Za-z0-9][A-Za-z0-9._-]*)\\s*$");
    private static final Pattern NUMBER = Pattern.compile("(?m)^\\s*([0-9]{1,10})\\s*$");

    private final boolean slurm;

    /** @param slurm whether it is Slurm's qsub */
    QsubResponse(boolean slurm) {
        super("qsub", slurm ? NUMBER : ID);
        this.slurm = slurm;
    }

    /** Slurm's qsub prints errors to stdout. */
    @Override
    protected String errors(Completed completed) {
        return slurm ? completed.stdout() + "\n" + completed.stderr() : completed.stderr();
    }

    @Override
    protected String brief(String text) {
        return TorqueMessages.brief(text);
    }

    @Override
    protected SubmitResult failed(int exit, String errors, String message) {
        return slurm ? ofSlurm(exit, errors, message) : ofTorque(exit, message);
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
            case REFUSED_NOW -> new SubmitResult.Refused(reason, true);
            case NOT_NOW -> new SubmitResult.Unavailable(reason, ServerCode.scope(exit, reason));
            case UNKNOWN -> new SubmitResult.Unclear(reason + " (status " + exit + ")");
        };
    }

    /** The Perl around sbatch shows sbatch's own message after the command it ran. */
    private static SubmitResult ofSlurm(int exit, String output, String message) {
        String reason = message.isEmpty() ? "qsub ended with status " + exit : message;
        int at = reason.indexOf("sbatch: error:");
        String sbatch = at < 0 ? reason : reason.substring(at);
        String verdict = TorqueMessages.slurmVerdict(output);
        if (TorqueMessages.isSlurmPolicy(verdict)) {
            return TorqueMessages.isSlurmNumberOfJobs(output)
                    ? new SubmitResult.Unavailable(sbatch, SubmitResult.Scope.ACCOUNT_IN_QUEUE)
                    : new SubmitResult.Refused(sbatch, true);
        }
        if (TorqueMessages.slurmTakesNothing(verdict)) {
            return new SubmitResult.Unavailable(sbatch, TorqueMessages.slurmScope(verdict));
        }
        if (TorqueMessages.isSlurmPluginsRefusal(verdict, sbatch)) {
            return new SubmitResult.Refused(sbatch, true);
        }
        if (at < 0 || ServerCode.killed(exit) || TorqueMessages.slurmGaveNoVerdict(verdict)) {
            return new SubmitResult.Unclear(sbatch);
        }
        return new SubmitResult.Refused(sbatch);
    }
}
