package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.ws.check.ServerCheck;
import org.gelato.ce.ws.config.CeConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes what a first start would make: a start finds it and does not change it. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionLine.class,
        description = {
            "Make the delegation key and the schema of the database where they are missing, as a start would.",
            "Run it as the CE's account. While the CE runs there is nothing to prepare."
        })
final class ServerPrepare implements Callable<Integer> {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = Main.CONFIGURATION,
            description = Main.CONFIGURATION_TEXT)
    private Path file;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        CeConfig config = CeConfig.load(file);
        if (ServerCheck.runs(config)) {
            spec.commandLine().getOut().println("nothing to prepare: this CE runs");
            return 0;
        }
        KeyVault.open(config.delegation().keyFile(), true);
        spec.commandLine()
                .getOut()
                .println("delegation key: " + config.delegation().keyFile());
        try (DatabaseOpening opening = new DatabaseOpening(config.database(), config.node())) {
            opening.get();
        }
        spec.commandLine().getOut().println("database: its schema is up to date");
        return 0;
    }
}
