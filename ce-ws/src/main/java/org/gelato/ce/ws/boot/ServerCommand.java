package org.gelato.ce.ws.boot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.check.OwnPages;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands of the server have: help, the version, and where they print. */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.VersionLine.class)
abstract class ServerCommand implements Callable<Integer> {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final int LARGEST_PAGE = 8 * 1024 * 1024;

    @Spec
    private CommandSpec spec;

    /** A command that reads the CE's configuration. */
    abstract static class Configured extends ServerCommand {
        private static final String USUAL = "/etc/gelato/gelato.conf";

        @Option(
                names = "--config",
                paramLabel = "FILE",
                defaultValue = USUAL,
                description = "Configuration file. Default: " + USUAL)
        private Path config;

        final Path config() {
            return config;
        }

        /** How the CE that runs is reached, also while its configuration has mistakes: it goes on by what it has read. */
        final CeConfig running() {
            try {
                return CeConfig.load(config);
            } catch (ConfigurationException e) {
                CeConfig reached = CeConfig.ofRunning(config, e);
                err().println("warning: a start would refuse this configuration: "
                        + e.problems().get(0) + " (ce server check names all)");
                return reached;
            }
        }
    }

    final CommandLine line() {
        return spec.commandLine();
    }

    final PrintWriter out() {
        return line().getOut();
    }

    final PrintWriter err() {
        return line().getErr();
    }

    /** The command line is wrong. */
    final ParameterException usage(String problem) {
        return new ParameterException(line(), problem);
    }

    /**
     * What a page of the CE that runs on this host has, which shows it to root and to the CE's account.
     *
     * @param silence what to do when the CE does not respond
     * @throws IllegalStateException when there is none
     */
    static JsonNode page(CeConfig config, String page, String silence) {
        try {
            String text = OwnPages.get(config, page, LARGEST_PAGE);
            if (!text.startsWith("{")) {
                throw new IllegalStateException(
                        "the CE refuses: " + Messages.line(text) + "; run this as root or as the CE's account");
            }
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the CE of " + config.baseUrl() + " does not respond on this host: " + Messages.of(e) + "; "
                            + silence,
                    e);
        }
    }
}
