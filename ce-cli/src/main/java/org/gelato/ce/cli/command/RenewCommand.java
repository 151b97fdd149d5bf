package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ce renew}: hands the CE the user's present proxy for delegations it has, for all jobs that use them. */
@Command(name = "renew", description = "Replaces the proxy of delegations by your present one.")
public final class RenewCommand extends CeCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Names of delegations, see 'ce delegate'.")
    private List<String> delegationIds = new ArrayList<>();

    public RenewCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (delegationIds.stream().anyMatch(String::isBlank)) {
            throw usage("a delegation id is empty");
        }
        ComputingElement ce = connectToNamed();
        ObjectNode root = JsonResult.object().put("endpoint", ce.endpoint().toString());
        ArrayNode renewed = root.putArray("renewed");
        ArrayNode refused = root.putArray("refused");
        for (String id : delegationIds) {
            try {
                ce.renew(id);
                renewed.add(id);
                if (!options.json()) {
                    context.err().println("Proxy renewed on " + ce.endpoint() + " as " + id);
                }
            } catch (CliException e) {
                fail(id, e.advised());
                refused.addObject().put("id", id).put("message", e.getMessage());
            }
        }
        if (options.json()) {
            JsonResult.print(context.out(), root);
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }
}
