package org.gelato.ce.core.follow;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;

/** What the batch system says about an end, as text of a failure reason. Blocks its caller, the poller. */
final class BatchMessages {
    private static final int MAX_LINES = 3;
    private static final int LONGEST_LINE = 200;

    private final Lrms lrms;
    private final EndDecision decision;
    private final SandboxWitness sandbox;

    BatchMessages(Lrms lrms, EndDecision decision, SandboxWitness sandbox) {
        this.lrms = lrms;
        this.decision = decision;
        this.sandbox = sandbox;
    }

    /**
     * What it says about an end: {@code slurm says: out of memory (limit 500 MiB), used 499 MiB}.
     *
     * @param job ended, or waiting again
     * @param used what else is known of the job's usage; null for nothing
     * @param place where the batch system's own error output is, which is added; null where it does not matter
     */
    String about(LrmsJob job, Usage used, SandboxStore.Place place) throws InterruptedException {
        String words = words(job);
        StringBuilder text = new StringBuilder(decision.says()).append(words);
        boolean memory = job.reason() != null && job.reason().startsWith(LrmsJob.OUT_OF_MEMORY);
        Usage usage = job.usage() == null || job.usage().peakMemoryKib() == null ? used : job.usage();
        if (memory && !words.contains("used ") && usage != null && usage.peakMemoryKib() != null) {
            text.append(", used ").append(usage.peakMemoryKib() >> 10).append(" MiB");
        }
        if (place != null) {
            own(place).stream()
                    .filter(line -> !words.contains(line))
                    .forEach(line -> text.append("; ").append(line));
        }
        return text.toString();
    }

    /**
     * The job as it really ended: a batch system may show one that it killed for its memory as ended by SIGKILL, and say why only among the
     * job's error output.
     *
     * @param place null where nothing is known of it
     */
    LrmsJob explained(LrmsJob job, SandboxStore.Place place) throws InterruptedException {
        if (place == null || !isOpen(job)) {
            return job;
        }
        return own(place).stream()
                .filter(line -> line.startsWith(LrmsJob.OUT_OF_MEMORY))
                .findFirst()
                .map(line -> new LrmsJob(
                        job.lrmsId(),
                        job.tag(),
                        LrmsJob.State.FAILED,
                        job.exitCode(),
                        line,
                        job.workerNode(),
                        job.usage()))
                .orElse(job);
    }

    /** Whether why this job ended, which may be null, may be told among its error output alone. */
    static boolean isOpen(LrmsJob job) {
        return job != null && job.state() == LrmsJob.State.DONE && JobStateMachine.isKilled(job.exitCode());
    }

    /** The batch system's own lines among the job's error output, the last ones, each after a semicolon; none where it can't be read. */
    String ownLines(SandboxStore.Place place) throws InterruptedException {
        return own(place).stream().map(line -> "; " + line).collect(Collectors.joining());
    }

    private Set<String> own(SandboxStore.Place place) throws InterruptedException {
        Set<String> lines = new LinkedHashSet<>();
        sandbox.errorOutput(place)
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(line ->
                        lrms.vendorMessage(line).map(BatchMessages::plain).ifPresent(lines::add));
        while (lines.size() > MAX_LINES) {
            lines.remove(lines.iterator().next());
        }
        return lines;
    }

    private static String words(LrmsJob job) {
        if (job.state() == LrmsJob.State.QUEUED || job.state() == LrmsJob.State.HELD) {
            return "requeued";
        }
        if (job.reason() != null) {
            return plain(job.reason()); // users can write it in part
        }
        return switch (job.state()) {
            case CANCELLED -> "cancelled";
            case FAILED -> "failed";
            default -> "exit code " + (job.exitCode() == null ? "unknown" : job.exitCode());
        };
    }

    private static String plain(String line) {
        String clean = line.replaceAll("[^\\x20-\\x7E]", "?").strip();
        return clean.length() <= LONGEST_LINE ? clean : clean.substring(0, LONGEST_LINE);
    }
}
