package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.gelato.ce.cli.CliContext;
import org.gelato.ce.cli.CommonOptions;
import org.gelato.ce.cli.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobUrl;
import picocli.CommandLine.Command;

/** {@code ce list}: the ids of all jobs of the user on one CE. */
@Command(name = "list", description = "Lists the ids of your jobs on a CE, one per line.")
public final class ListCommand extends CeCommand {
    public ListCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        ComputingElement ce = connectToNamed();
        List<String> jobs = ce.list().stream()
                .map(id -> new JobUrl(ce.endpoint(), id).toString())
                .toList();
        if (options.json()) {
            ObjectNode root = Json.object();
            jobs.forEach(root.putArray("jobs")::add);
            Json.print(context.out(), root);
        } else {
            jobs.forEach(context.out()::println);
        }
        return ExitCode.OK;
    }
}
