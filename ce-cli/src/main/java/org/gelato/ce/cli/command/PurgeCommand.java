package org.gelato.ce.cli.command;

import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.wire.Answer;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import picocli.CommandLine.Command;

/** {@code ce purge}: removes ended jobs with their output. */
@Command(name = "purge", description = "Removes ended jobs and their output from the CE.")
public final class PurgeCommand extends JobCommand {
    public PurgeCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    String done() {
        return "removal requested";
    }

    @Override
    List<Answer<Void>> apply(ComputingElement ce, JobSelector jobs) {
        return ce.purge(jobs);
    }
}
