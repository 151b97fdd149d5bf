package org.gelato.ce.core.lrms.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Reads what became of a command that hands a job over. Every result that is in doubt is {@link SubmitResult.Unclear}, which
 * costs a look-up; {@link SubmitResult.Unavailable} is returned only where no job can exist. Without state.
 */
public abstract class SubmitResponses {
    private final String program;
    private final Pattern id;

    /** @param id of a job, its first group, in what the program prints; what matches last counts, as a site's filter may print before */
    protected SubmitResponses(String program, Pattern id) {
        this.program = program;
        this.id = id;
    }

    /** What the program prints errors to. */
    protected String errors(Completed completed) {
        return completed.stderr();
    }

    /** A text of the batch system on one line, bounded in length. */
    protected abstract String brief(String text);

    /**
     * Of a program that ran and failed.
     *
     * @param errors as it printed them
     * @param message the same, brief
     */
    protected abstract SubmitResult failed(int exit, String errors, String message);

    /** Of a command that was run. */
    public final SubmitResult of(Completed completed) {
        String errors = errors(completed);
        String message = brief(errors);
        if (completed.timedOut()) {
            return new SubmitResult.Unclear(
                    program + " did not end in time" + (message.isEmpty() ? "" : ": " + message));
        }
        if (completed.exit() == 126 || completed.exit() == 127) {
            return new SubmitResult.Unavailable(program + " could not be run: " + message);
        }
        return completed.exit() == 0 ? accepted(completed, message) : failed(completed.exit(), errors, message);
    }

    /** Of a call that the helper did not carry out, or whose fate it does not know. */
    public final SubmitResult of(Throwable failure) {
        Throwable cause = Causes.of(failure);
        if (cause instanceof AccountCommandException refused) {
            return switch (refused.code()) {
                case REFUSED -> new SubmitResult.Refused(refused.getMessage());
                // it was not started: its sandbox, its script or the program itself was not available
                case BUSY, FAILED, NO_SUCH_FILE ->
                    new SubmitResult.Unavailable(refused.getMessage(), SubmitResult.Scope.ofFailure(refused));
            };
        }
        return new SubmitResult.Unclear("the fate of " + program + " is unknown: " + cause.getMessage());
    }

    private SubmitResult accepted(Completed completed, String message) {
        Matcher ids = id.matcher(completed.stdout());
        String last = null;
        while (ids.find()) {
            last = ids.group(1);
        }
        if (last == null) {
            return new SubmitResult.Unclear(program + " succeeded without a job id: "
                    + (message.isEmpty() ? brief(completed.stdout()) : message));
        }
        return last.length() > LrmsJob.LONGEST_ID
                ? new SubmitResult.Unclear(
                        "the job id has more than " + LrmsJob.LONGEST_ID + " characters: " + brief(last))
                : new SubmitResult.Accepted(last);
    }
}
