package org.gelato.ce.lrms.torque;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.core.text.Words;

/** The batch system's own messages, shortened to one line of a log or a failure reason. Pure. */
final class TorqueMessages {
    private static final int LONGEST = 1000;

    /** Of Slurm, behind its Torque commands: the request never reached a controller or it accepts nothing now. */
    private static final List<String> SLURM_NOT_NOW = List.of(
            "connect failure",
            "connection refused",
            "munge encode failed",
            "could not establish a configuration source",
            "unable to process configuration file",
            "temporarily unable to accept job",
            "resource temporarily unavailable",
            "standby mode");

    private static final List<String> SLURM_CLOSED = List.of(
            "required partition not available", "invalid partition specified", "invalid partition name specified");
    private static final List<String> SLURM_ACCOUNT_IS_FULL = List.of("job submit limit");

    private static final List<String> SLURM_NO_VERDICT = List.of(
            "unable to contact slurm controller",
            "problem loading",
            "timed out",
            "zero bytes were transmitted",
            "receive failure",
            "send failure",
            "unspecified error",
            "unexpected message",
            "authentication error",
            "connection failure");

    private static final Pattern PROGRAM = Pattern.compile("(?m)^(?:qsub|qstat|qdel|qhold|qrls|pbsnodes): ");

    private static final Pattern USAGE = Pattern.compile("(?ms)^[ \\t]*+[uU]sage:.*");

    private TorqueMessages() {}

    /** The text on one line, without the command's name, control characters and the usage, bounded in length. */
    static String brief(String text) {
        String begin = text.substring(0, Math.min(text.length(), 16 * LONGEST));
        return Words.line(USAGE.matcher(PROGRAM.matcher(begin).replaceAll("")).replaceFirst(""), LONGEST);
    }

    /** Whether Slurm accepts nothing now; its Torque commands print errors to stdout. */
    static boolean slurmTakesNothing(String text) {
        return hasOneOf(text, SLURM_NOT_NOW) || slurmScope(text) != Scope.LRMS;
    }

    /** Whose other jobs Slurm would not take now either. */
    static Scope slurmScope(String text) {
        if (hasOneOf(text, SLURM_CLOSED)) {
            return Scope.QUEUE;
        }
        return hasOneOf(text, SLURM_ACCOUNT_IS_FULL) ? Scope.ACCOUNT_IN_QUEUE : Scope.LRMS;
    }

    /** Whether Slurm reported nothing about the outcome of the request. */
    static boolean slurmGaveNoVerdict(String text) {
        return hasOneOf(text, SLURM_NO_VERDICT);
    }

    private static boolean hasOneOf(String text, List<String> fragments) {
        String lower = text.toLowerCase(Locale.ROOT);
        return fragments.stream().anyMatch(lower::contains);
    }
}
