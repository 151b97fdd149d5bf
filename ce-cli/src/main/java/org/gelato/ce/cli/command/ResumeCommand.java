package org.gelato.ce.cli.command;

import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.Response;
import picocli.CommandLine.Command;

/** {@code ce resume}: lets jobs go on that {@code ce suspend} held; silent where the CE agrees. */
@Command(name = "resume", description = "Lets held jobs go on.")
public final class ResumeCommand extends JobCommand {
    public ResumeCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    String done() {
        return "release requested";
    }

    @Override
    String awaited() {
        return "JOB_RESUME";
    }

    @Override
    String carriedOut() {
        return "released";
    }

    @Override
    List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
        return ce.resume(jobs);
    }
}
