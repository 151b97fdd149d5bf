package org.gelato.ce.lrms.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Reads what became of an sbatch call. Every result that is in doubt is {@link SubmitResult.Unclear}, which costs a
 * look-up; {@link SubmitResult.Unavailable} is returned only where no job can exist. Pure.
 */
final class SbatchAnswer {
    private static final Pattern ID = Pattern.compile("(?m)^\\s*([0-9]{1,10})(?:;[^\\s;]{0,255})?\\s*$");
    /** sbatch itself ends with 255 for an invalid option. */
    private static final int LAST_SIGNAL = 64;

    private static final String VERDICT = "Batch job submission failed: ";

    private SbatchAnswer() {}

    static SubmitResult of(Completed completed) {
        String message = SlurmMessages.brief(completed.stderr());
        if (completed.timedOut()) {
            return new SubmitResult.Unclear("sbatch did not end in time" + (message.isEmpty() ? "" : ": " + message));
        }
        if (completed.exit() == 0) {
            return accepted(completed, message);
        }
        if (completed.exit() == 126 || completed.exit() == 127) {
            return new SubmitResult.Unavailable("sbatch could not be run: " + message);
        }
        if (completed.exit() > 128 && completed.exit() <= 128 + LAST_SIGNAL) {
            return new SubmitResult.Unclear("sbatch ended with status " + completed.exit());
        }
        int at = completed.stderr().lastIndexOf(VERDICT);
        return at < 0
                ? local(completed, message)
                : verdict(
                        completed
                                .stderr()
                                .substring(at + VERDICT.length())
                                .lines()
                                .findFirst()
                                .orElse(""),
                        message);
    }

    static SubmitResult of(Throwable failure) {
        Throwable cause = Causes.of(failure);
        if (cause instanceof AccountCommandException refused) {
            return switch (refused.code()) {
                case REFUSED -> new SubmitResult.Refused(refused.getMessage());
                // sbatch was not started: its sandbox, its wrapper or the program itself was not available
                case BUSY, FAILED, NO_SUCH_FILE ->
                    new SubmitResult.Unavailable(refused.getMessage(), SubmitResult.Scope.ofFailure(refused));
            };
        }
        return new SubmitResult.Unclear("the fate of sbatch is unknown: " + cause.getMessage());
    }

    private static SubmitResult accepted(Completed completed, String message) {
        Matcher ids = ID.matcher(completed.stdout());
        String id = null;
        // a site's submit plugin may print before it
        while (ids.find()) {
            id = ids.group(1);
        }
        return id == null
                ? new SubmitResult.Unclear("sbatch succeeded without a job id: "
                        + (message.isEmpty() ? SlurmMessages.brief(completed.stdout()) : message))
                : new SubmitResult.Accepted(id);
    }

    /** sbatch gave up before it called the controller. */
    private static SubmitResult local(Completed completed, String message) {
        if (SlurmMessages.surelyWithoutEffect(completed.stderr())) {
            return SlurmMessages.withoutEffect(message, completed.stderr());
        }
        if (message.isEmpty() || SlurmMessages.fateUnknown(completed.stderr())) {
            return new SubmitResult.Unclear("sbatch ended with status " + completed.exit() + ": " + message);
        }
        return new SubmitResult.Refused(message);
    }

    private static SubmitResult verdict(String verdict, String message) {
        // the request was not even signed; without this message the error may be about the response's signature
        boolean unsigned = verdict.contains("authentication error") && message.contains("Munge encode failed");
        if (unsigned || SlurmMessages.surelyWithoutEffect(verdict)) {
            return SlurmMessages.withoutEffect(message, verdict);
        }
        boolean explained = !message.startsWith(VERDICT);
        if (verdict.startsWith("Unspecified error")) {
            // a site's submit plugin refuses with this verdict, after a message of its own; alone it reports nothing
            return explained ? new SubmitResult.Refused(message) : new SubmitResult.Unclear(message);
        }
        return SlurmMessages.fateUnknown(verdict)
                ? new SubmitResult.Unclear(message)
                : new SubmitResult.Refused(message);
    }
}
