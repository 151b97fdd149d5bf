package org.gelato.ce.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.gelato.ce.cli.context.CommonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ce} itself: it only carries the shared options and its commands. */
@Command(
        name = "ce",
        mixinStandardHelpOptions = true,
        versionProvider = Ce.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Submits jobs to a Computing Element and manages them.",
        optionListHeading = "Options of every command, before or behind its name:%n",
        footer = {
            "",
            "Results go to standard output, messages to standard error.",
            "Exit code: 0 done, 1 failed (also for one job of many), 2 wrong command line, 3 not ended (ce output)."
        })
public final class Ce implements Runnable {
    @Mixin
    private final CommonOptions options;

    @Spec
    private CommandSpec spec;

    public Ce(CommonOptions options) {
        this.options = options;
    }

    CommonOptions options() {
        return options;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: one of " + String.join(", ", spec.subcommands().keySet()));
    }

    /** Says the version: what the launcher says, which knows the commit (dev/version), or else the pom's. */
    public static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            String built = System.getProperty("gelato.version", "");
            if (built.matches("[0-9][0-9A-Za-z.+~-]{0,63}")) {
                return new String[] {"ce " + built};
            }
            try (InputStream in = Ce.class.getResourceAsStream("version.txt")) {
                return new String[] {"ce " + new String(in.readAllBytes(), StandardCharsets.UTF_8).strip()};
            }
        }
    }
}
