package org.gelato.ce.core.follow;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;

/** What the batch system says about an end, as text of a failure reason. Blocks its caller, the poller. */
final class BatchWords {
    private static final int MOST_LINES = 3;
    private static final int LONGEST_LINE = 200;

    private final Lrms lrms;
    private final JobEndings endings;

    BatchWords(Lrms lrms, JobEndings endings) {
        this.lrms = lrms;
        this.endings = endings;
    }

    /** Whether a failure reason has the batch system's word already. */
    boolean isIn(String reason) {
        return reason != null && reason.contains(prefix());
    }

    /**
     * What it says about an end: {@code slurm says: out of memory (limit 500 MiB), used 499 MiB}.
     *
     * @param job ended, or waiting again
     * @param used what else is known of the job's usage; null for nothing
     * @param place where the batch system's own error output is, which is added; null where it does not matter
     */
    String about(LrmsJob job, Usage used, SandboxStore.Place place) throws InterruptedException {
        StringBuilder text = new StringBuilder(prefix()).append(words(job));
        boolean memory = job.reason() != null && job.reason().startsWith(LrmsJob.OUT_OF_MEMORY);
        Usage usage = job.usage() == null || job.usage().peakMemoryKib() == null ? used : job.usage();
        if (memory && usage != null && usage.peakMemoryKib() != null) {
            text.append(", used ").append(usage.peakMemoryKib() >> 10).append(" MiB");
        }
        return place == null ? text.toString() : text.append(ownLines(place)).toString();
    }

    /** The batch system's own lines among the job's error output, the last ones, each after a semicolon; none where it can't be read. */
    String ownLines(SandboxStore.Place place) throws InterruptedException {
        Set<String> lines = new LinkedHashSet<>();
        endings.errorOutput(place)
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> lrms.ownWords(line).map(BatchWords::plain).ifPresent(lines::add));
        while (lines.size() > MOST_LINES) {
            lines.remove(lines.iterator().next());
        }
        return lines.stream().map(line -> "; " + line).collect(Collectors.joining());
    }

    private String prefix() {
        return lrms.name() + " says: ";
    }

    private static String words(LrmsJob job) {
        return switch (job.state()) {
            case QUEUED, HELD -> "requeued";
            case CANCELLED -> job.reason() == null ? "cancelled" : job.reason();
            case FAILED -> job.reason() == null ? "failed" : job.reason();
            default ->
                job.reason() == null
                        ? "exit code " + (job.exitCode() == null ? "unknown" : job.exitCode())
                        : job.reason();
        };
    }

    private static String plain(String line) {
        String clean = line.replaceAll("[^\\x20-\\x7E]", "?").strip();
        return clean.length() <= LONGEST_LINE ? clean : clean.substring(0, LONGEST_LINE);
    }
}
