package org.gelato.ce.cli.command;

import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ce delegate}: hands the CE a proxy under an id of the user's choice, for {@code ce submit -D}. */
@Command(name = "delegate", description = "Delegates your proxy to a CE under an id of your choice.")
public final class DelegateCommand extends CeCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "ID",
            description = "Name of the delegation, for 'ce submit -D ID'. Without it one is made and printed.")
    private String delegationId;

    public DelegateCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (delegationId != null && delegationId.isBlank()) {
            throw usage("the delegation id is empty");
        }
        ComputingElement ce = connectToNamed();
        String id = delegationId;
        if (id == null) {
            id = ce.delegate()
                    .orElseThrow(() -> new CliException(
                            "there is no proxy to delegate, only a token: submit without a delegation, or"
                                    + " make a proxy with voms-proxy-init"));
        } else {
            ce.delegate(id);
        }
        if (options.json()) {
            JsonResult.print(
                    context.out(),
                    JsonResult.object()
                            .put("delegationId", id)
                            .put("endpoint", ce.endpoint().toString()));
        } else {
            context.err().println("Proxy delegated to " + ce.endpoint() + " as " + id);
            if (delegationId == null) {
                context.out().println(id);
            }
        }
        return ExitCode.OK;
    }
}
