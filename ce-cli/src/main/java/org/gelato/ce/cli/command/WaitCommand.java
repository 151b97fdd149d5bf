package org.gelato.ce.cli.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.display.JobWatch;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.display.ProgressLine;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ce wait}: returns when jobs have ended, and prints how. */
@Command(
        name = "wait",
        description = "Waits until jobs have ended, and prints how, a line each.",
        footer = {
            "",
            "Criteria choose among the jobs that are there when it begins.",
            "A job that is REGISTERED and not started is reported, and not waited for.",
            "Exit code: 0 when all that ended are DONE-OK with exit code 0, 1 otherwise, also when there is no job,"
                    + " 2 wrong command line."
        })
public final class WaitCommand extends CeCommand {
    /** Jobs that failed whose labels are shown. */
    private static final int MAX_LABELLED = 1000;

    @Mixin
    private ChosenJobs choice = new ChosenJobs();

    @Option(names = "--any", description = "Wait only until one of them has ended, and print those that have.")
    private boolean any;

    public WaitCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() throws InterruptedException {
        List<JobResponse<StatusReport>> responses = new ArrayList<>();
        Map<Endpoint, Boolean> startsApart = new HashMap<>();
        for (JobResponse<StatusReport> now : ask(choice.ofQuestion(context.in(), named()), (ce, jobs) -> {
            startsApart.put(ce.endpoint(), !ce.startsWithRegistration());
            return ce.status(jobs);
        })) {
            now.response().refusal().ifPresent(fault -> {
                fail(now.job(), fault.advised());
                responses.add(now);
            });
            StatusReport state = now.response().value();
            if (state == null) {
                continue;
            }
            // Nobody knows whether its start ever comes.
            if (state.isRegistered() && startsApart.get(now.job().endpoint())) {
                fail(now.job(), "is REGISTERED and not started, and is not waited for");
            } else {
                responses.add(now);
            }
        }
        if (responses.isEmpty() && !failed()) {
            summarize("there is no job to wait for");
        }
        Map<Endpoint, List<JobUrl>> groups = Grouping.byEndpoint(responses.stream()
                .filter(now -> now.response().value() != null)
                .map(JobResponse::job)
                .toList());
        if (any && groups.size() > 1) {
            throw usage("--any is for jobs of one CE");
        }
        Map<JobUrl, Response<StatusReport>> ends = new LinkedHashMap<>();
        for (Map.Entry<Endpoint, List<JobUrl>> group : groups.entrySet()) {
            ends.putAll(waitFor(group.getKey(), group.getValue()));
        }
        Map<JobUrl, StatusReport> known = new LinkedHashMap<>();
        ends.forEach((job, end) -> {
            if (end.value() != null) {
                known.put(job, end.value());
            }
        });
        List<JobResponse<StatusReport>> ended = responses.stream()
                .filter(now -> now.response().value() == null || ends.containsKey(now.job()))
                .map(now -> new JobResponse<>(now.job(), ends.getOrDefault(now.job(), now.response())))
                .toList();
        if (options.json()) {
            JsonResult.print(context.out(), JsonResult.jobs(ended, JsonResult::add));
        } else {
            Map<JobUrl, String> labels = labels(known);
            ended.stream()
                    .filter(end -> end.response().value() != null)
                    .forEach(end -> context.out()
                            .println(end.job() + " "
                                    + Lines.status(end.response().value()) + labels.getOrDefault(end.job(), "")));
        }
        if (!groups.isEmpty()) {
            summarizeEnds(ends.size(), known);
        }
        boolean well = ended.stream()
                .allMatch(end ->
                        end.response().value() != null && end.response().value().isSuccess());
        return failed() || !well || responses.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
    }

    private Map<JobUrl, Response<StatusReport>> waitFor(Endpoint endpoint, List<JobUrl> jobs)
            throws InterruptedException {
        JobWatch watch = new JobWatch(context, connect(endpoint), new ProgressLine(context, name()));
        Map<JobUrl, Response<StatusReport>> ends = new LinkedHashMap<>();
        try {
            watch.follow(jobs, any);
        } catch (CliException e) {
            fail(jobs(jobs.size() - watch.ends().size()), e.advised());
        }
        watch.refusals().forEach((job, fault) -> {
            fail(job, fault.advised());
            ends.put(job, Response.refused(job.localId(), fault));
        });
        watch.ends().forEach((job, status) -> ends.put(job, Response.of(job.localId(), status)));
        return ends;
    }

    /** By which its user knows a job that failed. */
    private Map<JobUrl, String> labels(Map<JobUrl, StatusReport> ends) {
        List<JobUrl> failed = ends.entrySet().stream()
                .filter(end -> !end.getValue().isSuccess())
                .map(Map.Entry::getKey)
                .limit(MAX_LABELLED)
                .toList();
        Map<JobUrl, String> labels = new HashMap<>();
        if (!failed.isEmpty()) {
            try {
                for (JobResponse<JobReport> info :
                        ask(new ChosenJobs.Chosen(failed, JobSelector.ALL), ComputingElement::info)) {
                    JobReport report = info.response().value();
                    if (report != null && !report.labels().isEmpty()) {
                        labels.put(info.job(), " labels=" + Printable.line(String.join(",", report.labels())));
                    }
                }
            } catch (CliException e) {
                summarize("labels are not known: " + e.advised());
            }
        }
        return labels;
    }
}
