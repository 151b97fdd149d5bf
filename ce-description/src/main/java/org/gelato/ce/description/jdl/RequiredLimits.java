package org.gelato.ce.description.jdl;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.gelato.ce.description.JobRequest;

/**
 * The attributes of CERequirements that mean the same at every site, as what a job needs (docs/user/jdl.md). A time is what the job
 * needs at least where the text says so, else what it allows at most; of several the one that fits all. Memory and
 * processors are what a node has at least. What stands below {@code !}, {@code ||} or {@code ?:} is no limit: the job may be
 * right where it does not hold. One instance for one expression; not thread-safe.
 */
final class RequiredLimits {
    /** Minutes, MiB or processors; more is what information systems write for "no limit". */
    private static final long MAX = 100_000_000;

    private final Set<String> others = new LinkedHashSet<>();
    private final Range wallTime = new Range();
    private final Range cpuTime = new Range();
    private Long memory;
    private Long cpus;

    RequiredLimits(List<CeRequirements.Comparison> comparisons) {
        for (CeRequirements.Comparison c : comparisons) {
            if (!c.required()
                    || !(c.value() instanceof Expr.Int number)
                    || !take(c.name(), c.ending(), number.value())) {
                others.add(c.name());
            }
        }
    }

    /** Whether the comparison is one of these. */
    private boolean take(String name, String ending, long value) {
        if (value < 1 || value > MAX) {
            return false;
        }
        boolean atMost = ending.equals("_Max");
        switch (name.toLowerCase(Locale.ROOT)) {
            case "gluecepolicymaxwallclocktime", "gluecepolicymaxobtainablewallclocktime" ->
                wallTime.take(atMost, value);
            case "gluecepolicymaxcputime", "gluecepolicymaxobtainablecputime" -> cpuTime.take(atMost, value);
            case "gluehostmainmemoryramsize" -> {
                if (atMost) {
                    return false;
                }
                memory = memory == null ? value : Math.max(memory, value);
            }
            case "gluehostarchitecturesmpsize" -> {
                if (atMost) {
                    return false;
                }
                cpus = cpus == null ? value : Math.max(cpus, value);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    JobRequest.Limits limits() {
        return new JobRequest.Limits(
                wallTime.minutes(),
                cpuTime.minutes(),
                null,
                memory == null ? null : memory << 20,
                cpus == null ? null : Math.toIntExact(cpus));
    }

    List<String> others() {
        return List.copyOf(others);
    }

    private static final class Range {
        private Long least;
        private Long most;

        void take(boolean atMost, long value) {
            if (atMost) {
                most = most == null ? value : Math.min(most, value);
            } else {
                least = least == null ? value : Math.max(least, value);
            }
        }

        Duration minutes() {
            Long minutes = least == null ? most : least;
            return minutes == null ? null : Duration.ofMinutes(minutes);
        }
    }
}
