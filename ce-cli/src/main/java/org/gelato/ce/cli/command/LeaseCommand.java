package org.gelato.ce.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ce lease}: carries the commands about leases. */
@Command(
        name = "lease",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Handles leases: jobs that refer to one are cancelled when it ends.")
public final class LeaseCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
