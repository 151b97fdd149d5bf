package org.gelato.ce.perf.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.gelato.ce.perf.load.LoadProtocol;
import org.gelato.ce.perf.report.RunOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ce perf NAME} for one scenario. */
@Command(mixinStandardHelpOptions = true)
public final class ScenarioCommand implements Callable<Integer> {
    /** The scenarios there are, in the order of the command line's help. */
    public static final List<Scenario> ALL = List.of(
            new RampUp(),
            new AcceptanceCosts(),
            new EndToEnd(),
            new Sustain(),
            new PurgeAll(),
            new Renew(),
            new Restart(),
            new Peak(),
            new ManyUsers(),
            new Flooders(),
            new DrowningLrms(),
            new ArcStudy(),
            new ArcPeer(),
            new Factory(),
            new MessagesOfRunningJobs(),
            new Million());

    private final Scenario scenario;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "The size; see above. Default: the size that is asked for.")
    private Integer size;

    @Mixin
    private RunOptions run;

    @Option(names = "--full", description = "With files as large as the study's: only arc-study has some.")
    private boolean full;

    @Option(
            names = "--protocol",
            paramLabel = "NAME",
            description = "What the clients speak: ${COMPLETION-CANDIDATES}; only factory has a choice.")
    private LoadProtocol chosen;

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
        line.getCommandSpec()
                .usageMessage()
                .description(literal(scenario.what()), literal("Must hold: " + scenario.holds()));
        return line;
    }

    /** Descriptions are formats to picocli. */
    private static String literal(String text) {
        return text.replace("%", "%%");
    }

    @Override
    public Integer call() throws IOException {
        int jobs = size == null ? scenario.usualJobs() : size;
        if (jobs < scenario.fewestJobs()) {
            throw new ParameterException(
                    spec.commandLine(), "--jobs must be at least " + scenario.fewestJobs() + ", not " + jobs);
        }
        if (!scenario.batches().contains(run.batch())) {
            throw new ParameterException(
                    spec.commandLine(),
                    scenario.name() + " does not run on " + run.batch() + ", only on "
                            + scenario.batches().stream().sorted().toList());
        }
        LoadProtocol protocol = chosen == null ? scenario.protocols().iterator().next() : chosen;
        if (!scenario.protocols().contains(protocol)) {
            throw new ParameterException(
                    spec.commandLine(),
                    scenario.name() + " does not run over " + protocol + ", only over " + scenario.protocols());
        }
        run.prepare();
        if (report != null) {
            Files.createDirectories(report);
        }
        ScenarioResult result = ScenarioResult.of(scenario, new ScenarioPlan(run.batch(), jobs, full, protocol));
        ObjectNode all = ResultJson.of(result);
        run.write(all.toString());
        if (report != null) {
            ScenarioReport.write(result, report);
        }
        // On the screen without the seconds: they are for programs.
        all.remove("samples");
        spec.commandLine().getOut().println(all.toPrettyString());
        return RunOptions.end(spec, "does not hold", result.protocol().broken());
    }
}
