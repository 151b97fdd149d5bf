package org.gelato.ce.cli.command;

import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.display.ServiceTable;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.ServiceReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce service-info}: version and state of a CE. */
@Command(name = "service-info", description = "Shows whether a CE takes jobs, its version, batch system and queues.")
public final class ServiceInfoCommand extends CeCommand {
    @Option(names = "--limits", description = "Also the limits by which it refuses new jobs, with what it measured.")
    private boolean limits;

    public ServiceInfoCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        ComputingElement ce = connectToNamed();
        ServiceReport service = ce.serviceInfo();
        if (options.json()) {
            JsonResult.print(context.out(), service);
        } else {
            new ServiceTable(context.out())
                    .print(ce.endpoint(), service, limits, context.clock().instant());
        }
        return ExitCode.OK;
    }
}
