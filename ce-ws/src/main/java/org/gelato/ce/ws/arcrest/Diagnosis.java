package org.gelato.ce.ws.arcrest;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.service.JobInfo;

/** The texts of {@code /jobs/ID/diagnose/NAME}, each made of what is stored of the job. Stateless. */
final class Diagnosis {
    /** Names of what lies in the directory of logs of a job: what is short, and not the job's own. */
    static final List<String> FILES = List.of("errors", "failed", "statistics", "status");

    private Diagnosis() {}

    /** The text of this name; empty for a name that this CE has nothing under. */
    static Optional<String> of(JobInfo job, String name) {
        JobStatus last = job.history().get(job.history().size() - 1);
        return switch (name) {
            case "description" -> Optional.of(job.jdl());
            case "status" -> Optional.of(ArcState.of(last) + "\n");
            case "failed" -> ArcState.error(last);
            case "errors", "comment" -> Optional.of(history(job.history()));
            case "statistics", "diag" -> Optional.of(statistics(job, last));
            default -> Optional.empty();
        };
    }

    private static String history(List<JobStatus> history) {
        return history.stream()
                .map(s -> Stream.of(
                                s.since().toString(),
                                s.state().wireName(),
                                s.exitCode() == null ? "" : "exit code " + s.exitCode(),
                                s.failureReason() == null ? "" : s.failureReason(),
                                s.description() == null ? "" : s.description())
                        .filter(text -> !text.isEmpty())
                        .map(text -> text.replaceAll("\\R", " "))
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String statistics(JobInfo job, JobStatus last) {
        StringBuilder text = new StringBuilder();
        line(text, "nodename", job.workerNode());
        line(text, "exitcode", last.exitCode());
        Usage usage = job.usage();
        if (usage != null) {
            line(text, "WallTime", usage.wall() == null ? null : ActivityDocument.seconds(usage.wall()) + "s");
            line(text, "CPUUsage", usage.cpu() == null ? null : ActivityDocument.seconds(usage.cpu()) + "s");
            line(text, "Processors", usage.cores());
            line(text, "UsedMemory", usage.peakMemoryKib() == null ? null : usage.peakMemoryKib() + "kB");
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, Object value) {
        if (value != null) {
            text.append(name)
                    .append('=')
                    .append(value.toString().replaceAll("\\R", " "))
                    .append('\n');
        }
    }
}
