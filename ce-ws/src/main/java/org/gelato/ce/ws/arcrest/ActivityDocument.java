package org.gelato.ce.ws.arcrest;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.sweep.PurgePolicy;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.Languages;
import org.gelato.ce.json.JobDetail;

/** A job as a GLUE 2 ComputingActivity: what {@code action=info} shows. What is not known is left out. */
final class ActivityDocument {
    private static final String GLUE = "http://schemas.ogf.org/glue/2009/03/spec_2.0_r1";
    private static final String VALIDITY = "60";

    /** Characters of the longest description that is read again for this, as any number of jobs may be requested at once. */
    private static final int LONGEST_READ = 16 << 10;

    private final String host;
    private final Languages languages;
    private final PurgePolicy purges;

    /**
     * @param host of the CE, part of all names
     * @param languages of stored descriptions
     * @param purges when jobs that have ended are removed
     */
    ActivityDocument(String host, Languages languages, PurgePolicy purges) {
        this.host = host;
        this.languages = languages;
        this.purges = purges;
    }

    /** The {@code info_document} of a job of this caller. */
    Part of(JobInfo job, Caller caller, Instant now) {
        List<JobStatus> history = job.history();
        JobStatus last = history.get(history.size() - 1);
        ArcState state = ArcState.of(last);
        JobRequest request = read(job.jdl());
        Part.Builder activity = new Part.Builder(
                        "ComputingActivity",
                        Map.of("xmlns", GLUE, "BaseType", "Activity", "CreationTime", time(now), "Validity", VALIDITY))
                .with("ID", "urn:caid:" + host + ":org.nordugrid.arcrest:" + job.id())
                .with("Name", request == null ? null : name(request))
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
        activity.with("Owner", owner(caller)).with("LocalOwner", job.account());
        requested(activity, request);
        activity.with("ExecutionNode", job.workerNode());
        JobDetail.PLAIN.stream()
                .filter(detail -> detail.element() != null)
                .forEach(detail -> activity.with(detail.element(), detail.elementText(job.details())));
        if (request != null) {
            request.labels()
                    .labels()
                    .forEach((name, value) ->
                            activity.with(JobDetail.LABEL_ELEMENT, JobDetail.LABEL + name + "=" + value));
        }
        usage(activity, job.details());
        activity.with("SubmissionTime", time(history.get(0).since()))
                .with("ComputingManagerSubmissionTime", first(history, s -> s == JobState.IDLE))
                .with("StartTime", first(history, s -> s == JobState.RUNNING || s == JobState.REALLY_RUNNING))
                .with("ComputingManagerEndTime", first(history, JobState::isFinal))
                .with("EndTime", first(history, JobState::isFinal))
                .with("WorkingAreaEraseTime", erased(last))
                .with("ProxyExpirationTime", job.delegationEnd() == null ? null : time(job.delegationEnd()));
        messages(job).forEach(message -> activity.with("OtherMessages", message));
        activity.with(new Part.Builder("Associations")
                .with(
                        "ComputingShareID",
                        "urn:ogf:ComputingShare:" + host + ":" + job.details().get(JobDetail.QUEUE))
                .build());
        return Part.of("info_document", List.of(activity.build()));
    }

    /** What there is to know beside the error: each text once, as clients print both. */
    private static Set<String> messages(JobInfo job) {
        List<JobStatus> history = job.history();
        JobStatus last = history.get(history.size() - 1);
        Set<String> messages = new LinkedHashSet<>();
        messages.add(last.description());
        messages.add(last.state() == JobState.PENDING ? putOff(job) : null);
        // What was accepted of its description and is not done.
        messages.add(history.get(0).description());
        messages.remove(null);
        ArcState.error(last).ifPresent(messages::remove);
        return messages;
    }

    /** Why the hand-over of a job that waits here has not succeeded yet; null when nothing is known. */
    private static String putOff(JobInfo job) {
        return job.commands().stream()
                .filter(command -> command.kind() == CommandKind.JOB_START && command.completed() == null)
                .map(CommandRecord::failureReason)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private String erased(JobStatus last) {
        return last.state().isFinal()
                ? purges.end(last.state(), last.since())
                        .map(ActivityDocument::time)
                        .orElse(null)
                : null;
    }

    /** The description; null for one that is too long, or that this version cannot read. */
    private JobRequest read(String text) {
        if (text.length() > LONGEST_READ) {
            return null;
        }
        try {
            return languages.read(languages.detect(text).code(), text);
        } catch (DescriptionException | RuntimeException | StackOverflowError e) {
            return null; // the rest of the list is to be shown
        }
    }

    private static void requested(Part.Builder activity, JobRequest request) {
        if (request == null) {
            return;
        }
        JobRequest.Limits limits = request.resources().limits();
        int slots = request.resources().nodes().cores();
        Duration wall = limits.wallTime();
        JobRequest.Streams streams = request.streams();
        activity.with("RequestedTotalWallTime", wall == null ? null : seconds(wall.multipliedBy(slots)))
                .with("RequestedTotalCPUTime", limits.cpuTime() == null ? null : seconds(limits.cpuTime()))
                .with("RequestedSlots", slots)
                .with("StdIn", streams.input() == null ? "/dev/null" : streams.input())
                .with("StdOut", streams.output())
                .with("StdErr", streams.error());
    }

    private static void usage(Part.Builder activity, Map<JobDetail, String> details) {
        BigDecimal cores = JobDetail.CORES.number(details);
        BigDecimal wall = JobDetail.WALL_TIME.number(details);
        activity.with(
                        "UsedTotalWallTime",
                        wall == null ? null : whole(wall.multiply(cores == null ? BigDecimal.ONE : cores)))
                .with(JobDetail.CPU_TIME.element(), JobDetail.CPU_TIME.elementText(details))
                .with(JobDetail.PEAK_MEMORY.element(), JobDetail.PEAK_MEMORY.elementText(details));
    }

    /** Whole seconds, to the nearest. */
    private static long seconds(Duration time) {
        return time.plusMillis(500).toSeconds();
    }

    static long whole(BigDecimal seconds) {
        return seconds.setScale(0, RoundingMode.HALF_UP).longValueExact();
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

    /** Of a job with a session directory as it was given, of another what its owner finds it by. */
    private static String name(JobRequest request) {
        return request.session().name() == null
                ? request.labels().name()
                : request.session().name();
    }
}
