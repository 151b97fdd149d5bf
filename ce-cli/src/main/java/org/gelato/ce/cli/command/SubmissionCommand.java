package org.gelato.ce.cli.command;

import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import picocli.CommandLine.Command;

/** {@code ce enable} and {@code ce disable}: an administrator opens or closes a CE for new jobs. */
public abstract class SubmissionCommand extends CeCommand {
    private final boolean accept;

    SubmissionCommand(CliContext context, CommonOptions options, boolean accept) {
        super(context, options);
        this.accept = accept;
    }

    @Override
    public final Integer call() {
        return of(connectToNamed());
    }

    /** Opens or closes a CE. */
    final int of(ComputingElement ce) {
        ce.acceptJobs(accept);
        if (options.json()) {
            JsonResult.print(
                    context.out(),
                    JsonResult.object()
                            .put("endpoint", ce.endpoint().toString())
                            .put("acceptsJobs", accept));
        } else {
            context.err().println("New jobs are " + (accept ? "accepted by " : "refused by ") + ce.endpoint());
        }
        return ExitCode.OK;
    }

    @Command(name = "enable", description = "Lets a CE accept new jobs again; for its administrators.")
    public static final class Enable extends SubmissionCommand {
        public Enable(CliContext context, CommonOptions options) {
            super(context, options, true);
        }
    }

    @Command(
            name = "disable",
            description = "Lets a CE refuse new jobs and go on with those it has; for its administrators.")
    public static final class Disable extends SubmissionCommand {
        public Disable(CliContext context, CommonOptions options) {
            super(context, options, false);
        }
    }
}
