package org.gelato.ce.lrms.slurm;

import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.command.SubmitResponses;

/** Reads what became of an sbatch call. */
final class SbatchResponse extends SubmitResponses {
    private static final Pattern ID = Pattern.compile("(?m)^\\s*([0-9]{1,10})(?:;[^\\s;]{0,255})?\\s*$");
    /** sbatch itself ends with 255 for an invalid option. */
    private static final int LAST_SIGNAL = 64;

    private static final Pattern FATAL = Pattern.compile("(?m)^sbatch: fatal: .*$");
    private static final String VERDICT = "Batch job submission failed: ";

    SbatchResponse() {
        super("sbatch", ID);
    }

    @Override
    protected String brief(String text) {
        return SlurmMessages.brief(text);
    }

    @Override
    protected SubmitResult failed(int exit, String errors, String message) {
        if (exit > 128 && exit <= 128 + LAST_SIGNAL) {
            return new SubmitResult.Unclear("sbatch ended with status " + exit);
        }
        int at = errors.lastIndexOf(VERDICT);
        return at < 0
                ? local(exit, errors, message)
                : verdict(
                        errors.substring(at + VERDICT.length())
                                .lines()
                                .findFirst()
                                .orElse(""),
                        message);
    }

    /** sbatch gave up before it called the controller; a site's filter for the command line may be what printed the errors. */
    private static SubmitResult local(int exit, String errors, String message) {
        if (FATAL.matcher(errors).results().anyMatch(line -> SlurmMessages.notReached(line.group()))) {
            return new SubmitResult.Unavailable(message);
        }
        if (message.isEmpty() || SlurmMessages.fateUnknown(errors)) {
            return new SubmitResult.Unclear("sbatch ended with status " + exit + ": " + message);
        }
        return new SubmitResult.Refused(message);
    }

    private static SubmitResult verdict(String verdict, String message) {
        // the request was not even signed; without this message the error may be about the response's signature
        if (verdict.contains("authentication error") && message.contains("Munge encode failed")) {
            return new SubmitResult.Unavailable(message);
        }
        boolean explained = message.lastIndexOf(VERDICT) > 0;
        if (verdict.startsWith("Unspecified error")) {
            // a site's submit plugin refuses with this verdict, after a message of its own; alone it reports nothing
            return explained ? new SubmitResult.Refused(message, true) : new SubmitResult.Unclear(message);
        }
        return SlurmMessages.withoutEffect(verdict, message)
                .orElseGet(() -> SlurmMessages.fateUnknown(verdict)
                        ? new SubmitResult.Unclear(message)
                        : new SubmitResult.Refused(message));
    }
}
