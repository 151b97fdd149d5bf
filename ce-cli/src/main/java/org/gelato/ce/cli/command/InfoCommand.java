package org.gelato.ce.cli.command;

import java.io.PrintStream;
import java.util.List;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ce info}: everything the CE reports about jobs, with their history. */
@Command(name = "info", description = "Shows everything about jobs: history, commands, place, JDL.")
public final class InfoCommand extends CeCommand {
    @Mixin
    private ChosenJobs choice = new ChosenJobs();

    public InfoCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        List<JobResponse<JobReport>> responses = ask(choice.ofQuestion(context.in(), named()), ComputingElement::info);
        boolean first = true;
        for (JobResponse<JobReport> response : responses) {
            response.response().refusal().ifPresent(fault -> fail(response.job(), fault.advised()));
            if (!options.json() && response.response().value() != null) {
                if (!first) {
                    context.out().println();
                }
                first = false;
                print(context.out(), response.job(), response.response().value());
            }
        }
        if (options.json()) {
            JsonResult.print(context.out(), JsonResult.jobs(responses, JsonResult::add));
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private static void print(PrintStream out, JobUrl job, JobReport report) {
        out.println(job);
        row(out, "Name", report.name());
        row(out, "Labels", String.join(", ", report.labels()));
        row(out, "Status", report.status().name());
        row(out, "Exit code", report.status().exitCode());
        row(out, "Failure reason", report.status().failureReason());
        row(out, "Description", report.status().description());
        row(out, "Warnings", warnings(report));
        row(out, "Worker node", report.workerNode());
        report.details().forEach((detail, value) -> row(out, detail.label(), detail.withUnit(value)));
        row(out, "Local user", report.localUser());
        row(out, "Batch id", report.lrmsJobId());
        row(out, "Directory", report.workingDirectory());
        row(out, "Grid job id", report.gridJobId());
        row(out, "Delegation", report.delegationId());
        row(out, "Proxy", report.delegationProxy());
        row(out, "Lease", report.leaseId());
        row(
                out,
                "Lease ends",
                report.leaseTime() == null ? null : report.leaseTime().toString());
        out.println("  History");
        report.history().forEach(status -> out.println("    " + Lines.status(status)));
        out.println("  Commands");
        for (JobReport.CommandReport command : report.commands()) {
            String reason =
                    Lines.known(command.failureReason()) ? " reason=" + Printable.line(command.failureReason()) : "";
            String time = command.created() == null ? "" : " " + command.created();
            out.println(
                    "    " + Printable.line(command.name()) + " " + Printable.line(command.status()) + time + reason);
        }
        if (Lines.known(report.jdl())) {
            out.println("  JDL");
            Printable.block(report.jdl()).lines().forEach(line -> out.println("    " + line));
        }
    }

    /** What the CE says of the job's description, in the first state of the job; null for nothing. */
    private static String warnings(JobReport report) {
        StatusReport first =
                report.history().isEmpty() ? null : report.history().get(0);
        return first == null || !first.name().equals("REGISTERED") ? null : first.description();
    }

    private static void row(PrintStream out, String label, String value) {
        if (Lines.known(value)) {
            out.printf("  %-15s %s%n", label, Printable.line(value));
        }
    }
}
