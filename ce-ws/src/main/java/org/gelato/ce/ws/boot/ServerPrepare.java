package org.gelato.ce.ws.boot;

import java.io.IOException;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.ws.check.ServerCheck;
import org.gelato.ce.ws.config.CeConfig;
import picocli.CommandLine.Command;

/** Makes what a first start would make: a start finds it and does not change it. */
@Command(
        name = "prepare",
        description = {
            "Make the delegation key and the schema of the database where they are missing, as a start would.",
            "Run it as the CE's account. While the CE runs there is nothing to prepare."
        })
final class ServerPrepare extends ServerCommand.Configured {
    @Override
    public Integer call() throws IOException {
        CeConfig config = CeConfig.load(config());
        if (ServerCheck.runs(config)) {
            out().println("nothing to prepare: this CE runs");
            return 0;
        }
        KeyVault.open(config.delegation().keyFile(), true);
        out().println("delegation key: " + config.delegation().keyFile());
        try (DatabaseOpening opening = new DatabaseOpening(config.database(), config.node())) {
            opening.get();
        }
        out().println("database: its schema is up to date");
        return 0;
    }
}
