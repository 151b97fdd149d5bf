package org.gelato.ce.lrms.torque;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.SubmitResult.Scope;

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
            "unable to create job record",
            "maxjobcount limit reached",
            "resource temporarily unavailable",
            "standby mode");

    private static final List<String> SLURM_CLOSED = List.of(
            "required partition not available", "invalid partition specified", "invalid partition name specified");
    private static final String SLURM_POLICY = "job submit limit";
    /** Of Slurm, before that: its own name of a limit on the number of jobs. */
    private static final Pattern SLURM_NUMBER_OF_JOBS =
            Pattern.compile("(?m)sbatch: error: (?:Assoc|QOS)(?:Max|Grp)Submit[A-Za-z]*\\s*$");

    private static final String SLURM_VERDICT = "Batch job submission failed: ";

    private static final List<String> SLURM_NO_VERDICT = List.of(
            "unable to contact slurm controller",
            "problem loading",
            "timed out",
            "zero bytes were transmitted",
            "receive failure",
            "send failure",
            "unspecified error",
            "unexpected message",
            "connection failure",
            "insane message length",
            "header lengths are longer",
            "unable to unpack",
            "transport endpoint",
            "connection reset",
            "broken pipe",
            "input/output error",
            "interrupted system call",
            "munge decode failed",
            "authentication",
            "missing socket",
            "communication shutdown failure",
            "delayed socket error",
            "closing all communications",
            "closed by quiesce timeout",
            "connection rejected by handler",
            "read/write would block",
            "incoming/outgoing file descriptor",
            "cannot unpack credential");

    private static final Pattern PROGRAM = Pattern.compile("(?m)^(?:qsub|qstat|qdel|qhold|qrls|pbsnodes): ");

    private static final Pattern USAGE = Pattern.compile("(?ms)^[ \\t]*+[uU]sage:.*");

    private TorqueMessages() {}

    /** The text on one line, without the command's name, control characters and the usage, bounded in length. */
    static String brief(String text) {
        String begin = text.substring(0, Math.min(text.length(), 16 * LONGEST));
        return Messages.line(
                USAGE.matcher(PROGRAM.matcher(begin).replaceAll("")).replaceFirst(""), LONGEST);
    }

    /** What Slurm's own error table says of a submission, as far as it was reached; a site's plugin may print before. */
    static String slurmVerdict(String output) {
        int at = output.lastIndexOf(SLURM_VERDICT);
        return at < 0
                ? output
                : output.substring(at + SLURM_VERDICT.length())
                        .lines()
                        .findFirst()
                        .orElse("");
    }

    /** Whether an association or a QOS does not allow the job, or no further one. */
    static boolean isSlurmPolicy(String verdict) {
        return verdict.toLowerCase(Locale.ROOT).contains(SLURM_POLICY);
    }

    /** Whether Slurm names a limit on the number of jobs, which one that ends makes room under. */
    static boolean isSlurmNumberOfJobs(String output) {
        return SLURM_NUMBER_OF_JOBS.matcher(output).find();
    }

    /** Whether a site's plugin refused with a message of its own. */
    static boolean isSlurmPluginsRefusal(String verdict, String message) {
        return verdict.startsWith("Unspecified error") && !message.startsWith("sbatch: error: " + SLURM_VERDICT);
    }

    /** Whether Slurm accepts nothing now; its Torque commands print errors to stdout. */
    static boolean slurmTakesNothing(String text) {
        return hasOneOf(text, SLURM_NOT_NOW) || slurmScope(text) != Scope.LRMS;
    }

    /** Whose other jobs Slurm would not take now either. */
    static Scope slurmScope(String text) {
        return hasOneOf(text, SLURM_CLOSED) ? Scope.QUEUE : Scope.LRMS;
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
