package org.gelato.ce.perf.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.gelato.ce.perf.Main;
import org.gelato.ce.perf.report.ScenarioReport;
import org.gelato.ce.perf.site.BatchKind;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ce perf NAME} for one scenario. */
@Command(mixinStandardHelpOptions = true)
public final class ScenarioCommand implements Callable<Integer> {
    private final Scenario scenario;

    @Option(names = "--jobs", required = true, paramLabel = "N", description = "The size; see above.")
    private int jobs;

    @Option(
            names = "--lrms",
            required = true,
            paramLabel = "KIND",
            description = "Batch system: ${COMPLETION-CANDIDATES}.")
    private BatchKind batch;

    @Option(names = "--full", description = "With files as large as the study's: only arc-study has some.")
    private boolean full;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result to a file.")
    private Path json;

    @Option(names = "--report", paramLabel = "DIR", description = "Write index.html and its figures there.")
    private Path report;

    @Spec
    private CommandSpec spec;

    private ScenarioCommand(Scenario scenario) {
        this.scenario = scenario;
    }

    /** The command of a scenario. */
    public static CommandLine of(Scenario scenario) {
        CommandLine line = new CommandLine(new ScenarioCommand(scenario));
        line.getCommandSpec().name(scenario.name());
        line.getCommandSpec().usageMessage().description(scenario.what(), "Must hold: " + scenario.holds());
        return line;
    }

    @Override
    public Integer call() throws IOException {
        if (jobs < scenario.fewestJobs()) {
            throw new ParameterException(
                    spec.commandLine(), "--jobs must be at least " + scenario.fewestJobs() + ", not " + jobs);
        }
        if (!scenario.batches().contains(batch)) {
            throw new ParameterException(
                    spec.commandLine(),
                    scenario.name() + " does not run on " + batch + ", only on "
                            + scenario.batches().stream().sorted().toList());
        }
        // Before the work: a place that cannot be written is known at once.
        if (json != null) {
            Files.writeString(json, "");
        }
        if (report != null) {
            Files.createDirectories(report);
        }
        ScenarioResult result = ScenarioResult.of(scenario, new ScenarioPlan(batch, jobs, full));
        ObjectNode all = ResultJson.of(result);
        if (json != null) {
            Files.writeString(json, all.toString() + "\n");
        }
        if (report != null) {
            ScenarioReport.write(result, report);
        }
        // On the screen without the seconds: they are for programs.
        all.remove("samples");
        spec.commandLine().getOut().println(all.toPrettyString());
        List<Check> broken = result.protocol().broken();
        broken.forEach(c -> spec.commandLine().getErr().println("ce perf: does not hold: " + c));
        return broken.isEmpty() ? 0 : Main.FAILED;
    }
}
