package org.gelato.ce.lrms.slurm;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Scope;

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
            "unable to create job record",
            "maxjobcount limit reached",
            "job state is being saved",
            "rate limit");

    /** A controller responded that it takes nothing for this partition now, which an administrator may have removed for a moment. */
    private static final List<String> CLOSED =
            List.of("required partition not available", "partition is down", "invalid partition name specified");

    /** A controller responded that an association or a QOS does not allow the job, or no further one: one code for both. */
    private static final List<String> POLICY = List.of("job submit limit");

    /** Beside that: its own name of a limit on the number of jobs, which one that ends makes room under. */
    private static final Pattern NUMBER_OF_JOBS = Pattern.compile("(?:^|; )(?:Assoc|QOS)(?:Max|Grp)Submit[A-Za-z]*;");

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
            "communication shutdown failure",
            "delayed socket error",
            "closing all communications",
            "closed by quiesce timeout",
            "connection rejected by handler",
            "read/write would block",
            "incoming/outgoing file descriptor",
            "cannot unpack credential");

    private static final Pattern PROGRAM =
            Pattern.compile("(?m)^(?:(?:sbatch|squeue|scancel|scontrol|sinfo|sacct): )?(?:error: )?");

    private static final int LONGEST = 1000;

    private SlurmMessages() {}

    /** Whether the request certainly never reached a controller. */
    static boolean notReached(String text) {
        return hasOneOf(text, NOT_REACHED);
    }

    /**
     * Of a request that surely had no effect and may be sent again.
     *
     * @param verdict of Slurm's error table; not what a site's plugin wrote
     * @param message all that was printed, brief
     * @return empty for any other request
     */
    static Optional<SubmitResult> withoutEffect(String verdict, String message) {
        if (hasOneOf(verdict, POLICY)) {
            return Optional.of(
                    NUMBER_OF_JOBS.matcher(message).find()
                            ? new SubmitResult.Unavailable(message, Scope.ACCOUNT_IN_QUEUE)
                            : new SubmitResult.Refused(message, true));
        }
        if (hasOneOf(verdict, CLOSED)) {
            return Optional.of(new SubmitResult.Unavailable(message, Scope.QUEUE));
        }
        return hasOneOf(verdict, NOT_REACHED) || hasOneOf(verdict, NOT_NOW)
                ? Optional.of(new SubmitResult.Unavailable(message))
                : Optional.empty();
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
        return Messages.line(PROGRAM.matcher(text).replaceAll(""), LONGEST);
    }

    private static boolean hasOneOf(String text, List<String> fragments) {
        String lower = text.toLowerCase(Locale.ROOT);
        return fragments.stream().anyMatch(lower::contains);
    }
}
