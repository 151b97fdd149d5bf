package org.gelato.ce.cli.command;

import java.util.List;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.Response;
import picocli.CommandLine.Command;

/** {@code ce cancel}: cancels jobs that have not ended. */
@Command(
        name = "cancel",
        description = "Cancels jobs.",
        footer = {
            "",
            "A job that has ended is refused; with --all those that have not ended are chosen.",
            "Exit code: 0 cancel requested, 1 a job was refused, 2 wrong command line."
        })
public final class CancelCommand extends JobCommand {
    public CancelCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    /** Of jobs that are looked up those that have ended are left out; of all jobs the CE does so. */
    @Override
    ChosenJobs.Chosen chosen() {
        ChosenJobs.Chosen chosen = super.chosen();
        JobSelector all = chosen.criteria();
        if (!chosen.jobs().isEmpty()
                || !all.needsLookup()
                || !all.states().isEmpty()
                || all.ending().isGiven()) {
            return chosen;
        }
        return new ChosenJobs.Chosen(List.of(), all.notEnded());
    }

    @Override
    String done() {
        return "cancel requested";
    }

    @Override
    List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
        return ce.cancel(jobs);
    }
}
