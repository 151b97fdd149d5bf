package org.gelato.ce.lrms.slurm;

import java.util.List;
import java.util.Locale;

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
            "required partition not available",
            "job submit limit",
            "unable to create job state",
            "job state is being saved",
            "rate limit");

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

    private SlurmMessages() {}

    /** Whether the request certainly had no effect and may be sent again. */
    static boolean surelyWithoutEffect(String text) {
        return hasOneOf(text, NOT_REACHED) || hasOneOf(text, NOT_NOW);
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
        StringBuilder out = new StringBuilder();
        for (String line : text.split("\\R")) {
            String message = line.replaceFirst("^(sbatch|squeue|scancel|scontrol|sinfo|sacct): ", "")
                    .replaceFirst("^error: ", "")
                    .strip();
            if (!message.isEmpty()) {
                out.append(out.isEmpty() ? "" : "; ").append(message);
            }
            if (out.length() > 1000) {
                return out.substring(0, 1000);
            }
        }
        return out.toString();
    }

    private static boolean hasOneOf(String text, List<String> fragments) {
        String lower = text.toLowerCase(Locale.ROOT);
        return fragments.stream().anyMatch(lower::contains);
    }
}
