package org.gelato.ce.perf;

import org.gelato.ce.perf.budgets.BudgetsCommand;
import org.gelato.ce.perf.report.RunOptions;
import org.gelato.ce.perf.scenario.ScenarioCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command {@code ce perf}. Exit status 0 when everything measured is within its bounds, 1 when something is not or the
 * measurement failed, 2 for invalid usage.
 */
@Command(
        name = "ce perf",
        description = "Measure a Computing Element made for the purpose, and remove it again.",
        subcommands = BudgetsCommand.class,
        footer = {"", "ce perf jmh measures single operations: ce perf jmh --help."},
        mixinStandardHelpOptions = true)
public final class Main {
    private static final String LOGGING = "logback.configurationFile";

    private Main() {}

    public static void main(String[] args) {
        if (System.getProperty(LOGGING) == null) {
            System.setProperty(LOGGING, "perf-logback.xml");
        }
        System.exit(commandLine().execute(args));
    }

    /** The commands; separate from {@link #main} so that they can be run without ending the process. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        ScenarioCommand.ALL.forEach(scenario -> line.addSubcommand(scenario.name(), ScenarioCommand.of(scenario)));
        // Set last: it reaches the commands that are there.
        return line.setExecutionExceptionHandler((e, failed, result) -> {
            failed.getErr().println("ce perf: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            return RunOptions.FAILED;
        });
    }
}
