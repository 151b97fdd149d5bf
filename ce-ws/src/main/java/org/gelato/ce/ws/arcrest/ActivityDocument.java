package org.gelato.ce.ws.arcrest;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.service.JobInfo;

/** A job as a GLUE 2 ComputingActivity: what {@code action=info} shows. What is not known is left out. */
final class ActivityDocument {
    private static final String GLUE = "http://schemas.ogf.org/glue/2009/03/spec_2.0_r1";
    private static final String VALIDITY = "60";

    private final String host;

    /** @param host of the CE, part of all names */
    ActivityDocument(String host) {
        this.host = host;
    }

    /** The {@code info_document} of a job of this caller. */
    Part of(JobInfo job, Caller caller, Instant now) {
        List<JobStatus> history = job.history();
        JobStatus last = history.get(history.size() - 1);
        ArcState state = ArcState.of(last);
        Part.Builder activity = new Part.Builder(
                        "ComputingActivity",
                        Map.of("xmlns", GLUE, "BaseType", "Activity", "CreationTime", time(now), "Validity", VALIDITY))
                .with("ID", "urn:caid:" + host + ":org.nordugrid.arcrest:" + job.id())
                .with("Type", "single")
                .with("IDFromEndpoint", "urn:idfe:" + job.id())
                .with("State", "arcrest:" + state)
                .with("State", "emies:" + emies(state));
        if (state == ArcState.PREPARING) {
            activity.with("State", "emiesattr:client-stagein-possible");
        } else if (state.isFinal()) {
            activity.with("State", "emiesattr:client-stageout-possible");
        }
        if (state == ArcState.FAILED) {
            activity.with("State", "emiesattr:processing-failure");
        } else if (state == ArcState.KILLED) {
            activity.with("State", "emiesattr:processing-cancel");
        }
        ArcState.exitCode(last).ifPresent(code -> activity.with("ExitCode", code));
        ArcState.error(last).ifPresent(error -> activity.with("Error", error));
        activity.with("Owner", owner(caller))
                .with("LocalOwner", job.account())
                .with("ExecutionNode", job.workerNode())
                .with("Queue", job.queue());
        usage(activity, job.usage());
        activity.with("SubmissionTime", time(history.get(0).since()))
                .with("StartTime", first(history, s -> s == JobState.RUNNING || s == JobState.REALLY_RUNNING))
                .with("ComputingManagerEndTime", first(history, JobState::isFinal))
                .with("EndTime", first(history, JobState::isFinal))
                .with("OtherMessages", last.description())
                .with(new Part.Builder("Associations")
                        .with("ComputingShareID", "urn:ogf:ComputingShare:" + host + ":" + job.queue())
                        .build());
        return Part.of("info_document", List.of(activity.build()));
    }

    private static void usage(Part.Builder activity, Usage usage) {
        if (usage == null) {
            return;
        }
        Integer cores = usage.cores();
        Duration wall = usage.wall();
        activity.with("UsedTotalWallTime", wall == null ? null : seconds(wall.multipliedBy(cores == null ? 1 : cores)))
                .with("UsedTotalCPUTime", usage.cpu() == null ? null : seconds(usage.cpu()))
                .with("UsedMainMemory", usage.peakMemoryKib() == null ? null : usage.peakMemoryKib() / 1024);
    }

    /** Whole seconds, to the nearest. */
    static long seconds(Duration time) {
        return time.plusMillis(500).toSeconds();
    }

    private static String owner(Caller caller) {
        return caller.identity().kind() == Identity.Kind.X509
                ? DnForms.slash(caller.identity().subject())
                : caller.identity().subject();
    }

    private static String emies(ArcState state) {
        return switch (state) {
            case PREPARING -> "preprocessing";
            case SUBMITTING -> "processing-accepting";
            case QUEUING, HELD -> "processing-queued";
            case RUNNING -> "processing-running";
            case FINISHED, FAILED, KILLED -> "terminal";
        };
    }

    private static String first(List<JobStatus> history, Predicate<JobState> wanted) {
        return history.stream()
                .filter(s -> wanted.test(s.state()))
                .findFirst()
                .map(s -> time(s.since()))
                .orElse(null);
    }

    private static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
