package org.gelato.ce.cli.command;

import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.Response;
import picocli.CommandLine.Command;

/** {@code ce cancel}: cancels jobs that have not ended. */
@Command(name = "cancel", description = "Cancels jobs.")
public final class CancelCommand extends JobCommand {
    public CancelCommand(CliContext context, CommonOptions options) {
        super(context, options);
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
