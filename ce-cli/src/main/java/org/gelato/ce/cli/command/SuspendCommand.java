package org.gelato.ce.cli.command;

import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.Response;
import picocli.CommandLine.Command;

/** {@code ce suspend}: holds jobs in the batch system; which of them it can hold is its own matter. */
@Command(name = "suspend", description = "Holds jobs in the batch system.")
public final class SuspendCommand extends JobCommand {
    public SuspendCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    String done() {
        return "hold requested";
    }

    @Override
    String awaited() {
        return "JOB_SUSPEND";
    }

    @Override
    String carriedOut() {
        return "held";
    }

    @Override
    List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
        return ce.suspend(jobs);
    }
}
