package org.gelato.ce.cli.command;

import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ServiceReport;
import picocli.CommandLine.Command;

/** {@code ce service-info}: version and state of a CE. */
@Command(name = "service-info", description = "Shows the version of a CE and whether it takes jobs.")
public final class ServiceInfoCommand extends CeCommand {
    public ServiceInfoCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        ServiceReport service = connectToNamed().serviceInfo();
        if (options.json()) {
            JsonResult.print(context.out(), JsonResult.service(service));
            return ExitCode.OK;
        }
        row("Interface Version", service.interfaceVersion());
        row("Service Version", service.serviceVersion());
        row("Description", service.description());
        row(
                "Started at",
                service.startedAt() == null ? null : service.startedAt().toString());
        row("Submission enabled", service.acceptsJobs() ? "YES" : "NO");
        row("Status", service.status());
        service.properties().forEach((name, value) -> row("Service Property", name + "->" + value));
        service.messages().forEach(message -> row("Service Message", message));
        return ExitCode.OK;
    }

    private void row(String label, String value) {
        if (value != null) {
            context.out().printf("%-18s = [%s]%n", label, Printable.line(value));
        }
    }
}
