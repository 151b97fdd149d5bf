package org.gelato.ce.lrms.slurm;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.core.text.Words;

/** What Slurm's error messages say about the outcome of a request. Pure; the texts are those of Slurm's own error table. */
final class SlurmMessages {
    /** The request never reached a controller. */
    private static final List<String> NOT_REACHED = List.of(
            "connect failure",
            "connection refused",
            "no route to host",
            "network is unreachable",
            "munge encode failed",
            "unable to process configuration file",
            "could not establish a configuration source",
            "clustername needs to be specified",
            "unable to locate any slurmctld",
            "error resolving dns");

    /** A controller responded that it accepts nothing now. */
    private static final List<String> NOT_NOW = List.of(
            "slurm temporarily unable to accept job",
            "resource temporarily unavailable",
            "standby mode",
            "operation is presently disabled",
            "unable to create job state",
            "job state is being saved",
            "rate limit");

    /** A controller responded that it takes nothing for this partition now, which an administrator may have removed for a moment. */
    private static final List<String> CLOSED =
            List.of("required partition not available", "partition is down", "invalid partition name specified");

    /** A controller responded that the account has as many jobs as it may have, by its association or a QOS. */
    private static final List<String> ACCOUNT_IS_FULL = List.of("job submit limit");

    /** Beside that: the job itself is larger than one may be there, however few there are. */
    private static final Pattern TOO_LARGE = Pattern.compile("(?:qos|assoc)[a-z]*perjob[a-z]*");

    /** The connection broke after the request may have been read, or the response was lost. */
    private static final List<String> FATE_UNKNOWN = List.of(
            "unable to contact slurm controller",
            "socket timed out",
            "timed out",
            "zero bytes were transmitted",
            "message receive failure",
            "message send failure",
            "unexpected message received",
            "insane message length",
            "header lengths are longer",
            "unable to unpack",
            "communication connection failure",
            "transport endpoint",
            "connection reset",
            "broken pipe",
            "input/output error",
            "interrupted system call",
            "munge decode failed",
            "authentication error",
            "authentication credential",
            "authentication agent",
            "missing socket",
            "communication shutdown failure");

    private static final Pattern PROGRAM =
            Pattern.compile("(?m)^(?:(?:sbatch|squeue|scancel|scontrol|sinfo|sacct): )?(?:error: )?");

    private static final int LONGEST = 1000;

    private SlurmMessages() {}

    /** Whether the request certainly had no effect and may be sent again. */
    static boolean surelyWithoutEffect(String text) {
        return hasOneOf(text, NOT_REACHED) || hasOneOf(text, NOT_NOW) || scope(text) != Scope.LRMS;
    }

    /** Whose other jobs a controller would not take now either, that did not take one. */
    static Scope scope(String text) {
        if (hasOneOf(text, CLOSED)) {
            return Scope.QUEUE;
        }
        return hasOneOf(text, ACCOUNT_IS_FULL) ? Scope.ACCOUNT_IN_QUEUE : Scope.LRMS;
    }

    /** Whether the job is larger than a single one may be. */
    static boolean isTooLarge(String text) {
        return TOO_LARGE.matcher(text.toLowerCase(Locale.ROOT)).find();
    }

    /** Of a request that surely had no effect: its job is too large, or somebody's or nobody's are taken now. */
    static SubmitResult withoutEffect(String message, String verdict) {
        return isTooLarge(message)
                ? new SubmitResult.Refused(message)
                : new SubmitResult.Unavailable(message, scope(verdict));
    }

    /** Whether the controller may or may not have carried the request out. */
    static boolean fateUnknown(String text) {
        return hasOneOf(text, FATE_UNKNOWN);
    }

    /** Whether the controller reported no result at all for the request. */
    static boolean noVerdict(String text) {
        return hasOneOf(text, NOT_REACHED) || fateUnknown(text);
    }

    /** The text on one line, without the program's name in front of each line, bounded in length. */
    static String brief(String text) {
        return Words.line(PROGRAM.matcher(text).replaceAll(""), LONGEST);
    }

    private static boolean hasOneOf(String text, List<String> fragments) {
        String lower = text.toLowerCase(Locale.ROOT);
        return fragments.stream().anyMatch(lower::contains);
    }
}
