package org.gelato.ce.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.choice.JobChoice;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ce status}: the present state of jobs, one line each. */
@Command(name = "status", description = "Shows the state of jobs, one line each.")
public final class StatusCommand extends CeCommand {
    @Mixin
    private JobChoice choice = new JobChoice();

    @Mixin
    private JobTable table = new JobTable();

    public StatusCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (table.isWanted() && !options.json()) {
            return table();
        }
        List<JobAnswer<StatusReport>> answers = ask(choice.ofQuestion(context.in(), named()), ComputingElement::status);
        for (JobAnswer<StatusReport> answer : answers) {
            answer.answer().refusal().ifPresent(fault -> fail(answer.job(), fault.message()));
            if (!options.json() && answer.answer().value() != null) {
                context.out()
                        .println(answer.job() + " "
                                + Lines.status(answer.answer().value()));
            }
        }
        if (options.json()) {
            Json.print(context.out(), Json.jobs(answers, Json::status));
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private int table() {
        List<JobTable.Row> rows = new ArrayList<>();
        for (JobAnswer<JobReport> answer : ask(choice.ofQuestion(context.in(), named()), ComputingElement::info)) {
            answer.answer()
                    .refusal()
                    .ifPresentOrElse(
                            fault -> fail(answer.job(), fault.message()),
                            () -> rows.add(new JobTable.Row(
                                    answer.job(), answer.answer().value())));
        }
        print(rows);
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }
}
