package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.display.JobTable;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.json.JobDetail;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ce status}: the present state of jobs, one line each. */
@Command(name = "status", description = "Shows the state of jobs, one line each.")
public final class StatusCommand extends CeCommand {
    @Mixin
    private ChosenJobs choice = new ChosenJobs();

    @Mixin
    private JobTable table = new JobTable();

    public StatusCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (options.json()) {
            return json();
        }
        if (table.isWanted()) {
            return table();
        }
        List<JobResponse<StatusReport>> responses =
                ask(choice.ofQuestion(context.in(), named()), ComputingElement::status);
        for (JobResponse<StatusReport> response : responses) {
            response.response().refusal().ifPresent(fault -> fail(response.job(), fault.advised()));
            if (response.response().value() != null) {
                context.out()
                        .println(response.job() + " "
                                + Lines.status(response.response().value()));
            }
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private int json() {
        List<JobResponse<JobReport>> responses = ask(choice.ofQuestion(context.in(), named()), ComputingElement::info);
        responses.forEach(
                response -> response.response().refusal().ifPresent(fault -> fail(response.job(), fault.advised())));
        JsonResult.print(context.out(), JsonResult.jobs(responses, StatusCommand::json));
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private static void json(ObjectNode job, JobReport report) {
        JsonResult.add(job, report.status());
        JsonResult.put(job, "name", report.name());
        JsonResult.put(
                job,
                "queue",
                report.details().containsKey(JobDetail.QUEUE)
                        ? report.details().get(JobDetail.QUEUE)
                        : JdlText.string(report.jdl(), "QueueName").orElse(null));
        ArrayNode labels = job.putArray("labels");
        report.labels().forEach(labels::add);
    }

    private int table() {
        List<JobTable.Row> rows = new ArrayList<>();
        for (JobResponse<JobReport> response : ask(choice.ofQuestion(context.in(), named()), ComputingElement::info)) {
            response.response()
                    .refusal()
                    .ifPresentOrElse(
                            fault -> fail(response.job(), fault.advised()),
                            () -> rows.add(new JobTable.Row(
                                    response.job(), response.response().value())));
        }
        print(rows);
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }
}
