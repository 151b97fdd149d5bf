package org.gelato.ce.lrms.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.Usage;

/**
 * What Slurm shows of a job's usage. A text that cannot be understood is an unknown value, and so is a time of 0: Slurm counts
 * whole seconds, and prints 0 for what it does not measure. Pure.
 */
final class SlurmUsage {
    /** {@code [days-][hours:]minutes:seconds[.millis]}. */
    private static final Pattern TIME =
            Pattern.compile("(?:(?:([0-9]{1,6})-)?([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,2})(?:\\.([0-9]{3}))?");

    private static final Pattern CPUS = Pattern.compile("[0-9]{1,8}");

    private SlurmUsage() {}

    /**
     * Of squeue or sacct.
     *
     * @param elapsed {@code 1-02:03:04}, {@code 3:04}
     * @param cpus on all nodes
     * @param cpu user and system time, {@code 02:03.456}; empty where none is shown
     */
    static Usage of(String elapsed, String cpus, String cpu) {
        return new Usage(time(cpu), time(elapsed), cpus(cpus), null, Usage.Source.BATCH_SYSTEM);
    }

    /**
     * Of the job completion log.
     *
     * @param start null where it is not known
     * @param end likewise
     * @param cpus on all nodes
     */
    static Usage between(Instant start, Instant end, String cpus) {
        Duration wall = start == null || end == null ? null : Duration.between(start, end);
        return new Usage(null, wall, cpus(cpus), null, Usage.Source.BATCH_SYSTEM);
    }

    private static Integer cpus(String text) {
        String number = text.strip();
        return CPUS.matcher(number).matches() ? Integer.valueOf(number) : null;
    }

    private static Duration time(String text) {
        Matcher m = TIME.matcher(text.strip());
        return m.matches()
                ? Duration.ofDays(number(m.group(1)))
                        .plusHours(number(m.group(2)))
                        .plusMinutes(number(m.group(3)))
                        .plusSeconds(number(m.group(4)))
                        .plusMillis(number(m.group(5)))
                : null;
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
