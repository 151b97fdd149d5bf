package org.gelato.ce.perf.budgets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.gelato.ce.perf.Main;
import org.gelato.ce.perf.site.BatchKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ce perf budgets}: what one job's life costs, and whether that is within the design's budgets. */
@Command(
        name = "budgets",
        mixinStandardHelpOptions = true,
        description =
                "Count what one job's life costs the CE, alone and under load, against the budgets of the design.")
public final class BudgetsCommand implements Callable<Integer> {
    // The CE's default bound of open connections is 400.
    private static final int MOST_CLIENTS = 300;

    @Option(names = "--jobs", required = true, paramLabel = "N", description = "Job lives under load.")
    private int jobs;

    @Option(
            names = "--clients",
            paramLabel = "C",
            defaultValue = "" + BudgetsPlan.CLIENTS,
            description = "Clients at once. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(
            names = "--lrms",
            required = true,
            paramLabel = "KIND",
            description = "Batch system: ${COMPLETION-CANDIDATES}.")
    private BatchKind batch;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result to a file.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (jobs < 1) {
            throw new ParameterException(spec.commandLine(), "--jobs must be at least 1, not " + jobs);
        }
        if (clients < 1 || clients > MOST_CLIENTS) {
            throw new ParameterException(
                    spec.commandLine(), "--clients must be 1 to " + MOST_CLIENTS + ", not " + clients);
        }
        if (json != null) {
            // Before the work: a place that cannot be written is known at once.
            Files.writeString(json, "");
        }
        BudgetsResult result = BudgetsRun.run(BudgetsPlan.of(batch, jobs, clients));
        String text = result.json().toPrettyString();
        spec.commandLine().getOut().println(text);
        if (json != null) {
            Files.writeString(json, text + "\n");
        }
        List<Budget> broken = result.broken();
        broken.forEach(b -> spec.commandLine().getErr().println("ce perf: over budget: " + b));
        return broken.isEmpty() ? 0 : Main.FAILED;
    }
}
