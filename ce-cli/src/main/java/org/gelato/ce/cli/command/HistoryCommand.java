package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ce history}: a job's states and commands in the order of their times, and how long each stage took. */
@Command(
        name = "history",
        description = "Shows a job's states and commands by time, and how long each stage took.",
        footer = {
            "",
            "Times of states on the worker node are the node's, bounded by when the CE received them.",
            "Exit code: 0 shown, 1 failed (also for one job of many), 2 wrong command line."
        })
public final class HistoryCommand extends CeCommand {
    /** What a job waits for, or does, while it is in a state. */
    private static final Map<String, String> STAGES = Map.of(
            "REGISTERED", "before its start",
            "PENDING", "hand-over to the batch system",
            "IDLE", "in the batch system's queue",
            "RUNNING", "wrapper, before the payload",
            "REALLY-RUNNING", "payload and output",
            "HELD", "held");

    @Mixin
    private ChosenJobs choice = new ChosenJobs();

    /** @param text of one line */
    private record Step(Instant time, String text) {}

    public HistoryCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        List<JobResponse<JobReport>> responses = ask(choice.ofQuestion(context.in(), named()), ComputingElement::info);
        for (JobResponse<JobReport> response : responses) {
            response.response().refusal().ifPresent(fault -> fail(response.job(), fault.advised()));
            if (!options.json() && response.response().value() != null) {
                context.out().println(response.job());
                print(response.response().value());
            }
        }
        if (options.json()) {
            JsonResult.print(context.out(), JsonResult.jobs(responses, this::json));
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private void print(JobReport report) {
        Instant before = null;
        for (Step step : steps(report)) {
            String gap = before == null ? "" : "+" + seconds(Duration.between(before, step.time()));
            context.out().printf("  %-27s %12s  %s%n", step.time(), gap, step.text());
            before = step.time();
        }
        stages(report).forEach((stage, time) -> context.out().printf("  %12s  %s%n", seconds(time), stage));
    }

    private static List<Step> steps(JobReport report) {
        List<Step> steps = new ArrayList<>();
        for (StatusReport status : report.history()) {
            if (status.time() != null) {
                String line = Lines.status(new StatusReport(
                        status.name(), null, status.exitCode(), status.failureReason(), status.description()));
                steps.add(new Step(status.time(), line));
            }
        }
        for (JobReport.CommandReport command : report.commands()) {
            if (command.created() != null) {
                steps.add(new Step(command.created(), Printable.line(command.name()) + " requested"));
            }
            if (command.completed() != null) {
                steps.add(new Step(
                        command.completed(),
                        Printable.line(command.name()) + " " + Printable.line(command.status())
                                + (Lines.known(command.failureReason())
                                        ? " reason=" + Printable.line(command.failureReason())
                                        : "")));
            }
        }
        steps.sort(Comparator.comparing(Step::time));
        return steps;
    }

    /** Sums by stage, in the order in which the job came to them; the last goes on until now. */
    private Map<String, Duration> stages(JobReport report) {
        Map<String, Duration> stages = new LinkedHashMap<>();
        List<StatusReport> history =
                report.history().stream().filter(s -> s.time() != null).toList();
        for (int i = 0; i < history.size(); i++) {
            StatusReport status = history.get(i);
            if (!status.isFinal()) {
                Instant end = i + 1 < history.size()
                        ? history.get(i + 1).time()
                        : context.clock().instant();
                // Clocks of worker nodes differ.
                Duration time = Duration.between(status.time(), end);
                stages.merge(
                        STAGES.getOrDefault(status.name(), Printable.line(status.name())),
                        time.isNegative() ? Duration.ZERO : time,
                        Duration::plus);
            }
        }
        return stages;
    }

    private void json(ObjectNode job, JobReport report) {
        ArrayNode steps = job.putArray("steps");
        steps(report)
                .forEach(step ->
                        steps.addObject().put("time", step.time().toString()).put("event", step.text()));
        ArrayNode stages = job.putArray("stages");
        stages(report)
                .forEach((stage, time) -> stages.addObject().put("stage", stage).put("seconds", time.toMillis() / 1e3));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f s", time.toMillis() / 1e3);
    }
}
