package org.gelato.ce.lrms.slurm;

import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Reads what became of an sbatch call. Whatever leaves room for a doubt is {@link SubmitResult.Unclear}, which costs a
 * look-up; {@link SubmitResult.Unavailable} is said only where no job can exist. Pure.
 */
final class SbatchAnswer {
    private static final Pattern ID = Pattern.compile("(?m)^\\s*([0-9]{1,10})(?:;[^\\s;]{0,255})?\\s*$");
    /** sbatch itself ends with 255 for a bad option. */
    private static final int LAST_SIGNAL = 64;

    private static final String VERDICT = "Batch job submission failed: ";

    private SbatchAnswer() {}

    static SubmitResult of(Completed completed) {
        String words = SlurmMessages.brief(completed.stderr());
        if (completed.timedOut()) {
            return new SubmitResult.Unclear("sbatch did not end in time" + (words.isEmpty() ? "" : ": " + words));
        }
        if (completed.exit() == 0) {
            return accepted(completed, words);
        }
        if (completed.exit() == 126 || completed.exit() == 127) {
            return new SubmitResult.Unavailable("sbatch could not be run: " + words);
        }
        if (completed.exit() > 128 && completed.exit() <= 128 + LAST_SIGNAL) {
            return new SubmitResult.Unclear("sbatch ended with status " + completed.exit());
        }
        int at = completed.stderr().lastIndexOf(VERDICT);
        return at < 0
                ? local(completed, words)
                : verdict(
                        completed
                                .stderr()
                                .substring(at + VERDICT.length())
                                .lines()
                                .findFirst()
                                .orElse(""),
                        words);
    }

    static SubmitResult of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof AccountCommandException refused) {
            return switch (refused.code()) {
                case REFUSED -> new SubmitResult.Refused(refused.getMessage());
                // sbatch was not started: its sandbox, its wrapper or the program itself could not be had
                case BUSY, FAILED, NO_SUCH_FILE -> new SubmitResult.Unavailable(refused.getMessage());
            };
        }
        return new SubmitResult.Unclear("the fate of sbatch is unknown: " + cause.getMessage());
    }

    private static SubmitResult accepted(Completed completed, String words) {
        Matcher ids = ID.matcher(completed.stdout());
        String id = null;
        // a site's submit plugin may print before it
        while (ids.find()) {
            id = ids.group(1);
        }
        return id == null
                ? new SubmitResult.Unclear("sbatch ended well without a job id: "
                        + (words.isEmpty() ? SlurmMessages.brief(completed.stdout()) : words))
                : new SubmitResult.Accepted(id);
    }

    /** sbatch gave up before it asked the controller. */
    private static SubmitResult local(Completed completed, String words) {
        if (SlurmMessages.surelyWithoutEffect(completed.stderr())) {
            return new SubmitResult.Unavailable(words);
        }
        if (words.isEmpty() || SlurmMessages.fateUnknown(completed.stderr())) {
            return new SubmitResult.Unclear("sbatch ended with status " + completed.exit() + ": " + words);
        }
        return new SubmitResult.Refused(words);
    }

    private static SubmitResult verdict(String verdict, String words) {
        // the request was not even signed; without those words the answer's signature may be meant
        boolean unsigned = verdict.contains("authentication error") && words.contains("Munge encode failed");
        if (unsigned || SlurmMessages.surelyWithoutEffect(verdict)) {
            return new SubmitResult.Unavailable(words);
        }
        boolean explained = !words.startsWith(VERDICT);
        if (verdict.startsWith("Unspecified error")) {
            // a site's submit plugin refuses with this verdict, after words of its own; alone it says nothing
            return explained ? new SubmitResult.Refused(words) : new SubmitResult.Unclear(words);
        }
        return SlurmMessages.fateUnknown(verdict) ? new SubmitResult.Unclear(words) : new SubmitResult.Refused(words);
    }
}
