package org.gelato.ce.ws.arcrest;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.json.JobDetail;

/** The texts of {@code /jobs/ID/diagnose/NAME}, each made of what is stored of the job. Stateless. */
final class Diagnosis {
    /** Names of what lies in the directory of logs of a job: what is short, and not the job's own. */
    static final List<String> FILES = List.of("errors", "failed", "statistics", "status");

    private Diagnosis() {}

    /** The text of this name; empty for a name that this CE has nothing under. */
    static Optional<String> of(JobInfo job, String name) {
        JobStatus last = last(job);
        return switch (name) {
            case "description" -> Optional.of(job.jdl());
            case "status" -> Optional.of(ArcState.of(last) + "\n");
            case "failed" -> ArcState.error(last);
            case "errors", "comment" -> Optional.of(history(job.history()));
            case "statistics", "diag" -> Optional.of(statistics(job, last));
            default -> Optional.empty();
        };
    }

    /** The state that the job is in. */
    static JobStatus last(JobInfo job) {
        return job.history().get(job.history().size() - 1);
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
        Map<JobDetail, String> details = job.details();
        line(text, "WallTime", seconds(JobDetail.WALL_TIME.number(details)));
        line(text, "CPUUsage", seconds(JobDetail.CPU_TIME.number(details)));
        line(text, "Processors", details.get(JobDetail.CORES));
        String memory = details.get(JobDetail.PEAK_MEMORY);
        line(text, "UsedMemory", memory == null ? null : memory + "kB");
        return text.toString();
    }

    private static String seconds(BigDecimal time) {
        return time == null ? null : ActivityDocument.whole(time) + "s";
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
