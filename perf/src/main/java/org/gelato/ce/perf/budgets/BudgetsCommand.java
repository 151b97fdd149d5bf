package org.gelato.ce.perf.budgets;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.gelato.ce.perf.report.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    private static final int MAX_CLIENTS = 300;

    @Option(names = "--jobs", required = true, paramLabel = "N", description = "Job lives under load.")
    private int jobs;

    @Option(
            names = "--clients",
            paramLabel = "C",
            defaultValue = "" + BudgetsPlan.CLIENTS,
            description = "Clients at once. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Mixin
    private RunOptions run;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (jobs < 1) {
            throw new ParameterException(spec.commandLine(), "--jobs must be at least 1, not " + jobs);
        }
        if (clients < 1 || clients > MAX_CLIENTS) {
            throw new ParameterException(
                    spec.commandLine(), "--clients must be 1 to " + MAX_CLIENTS + ", not " + clients);
        }
        run.prepare();
        BudgetsResult result = BudgetsRun.run(BudgetsPlan.of(run.batch(), jobs, clients));
        String text = result.json().toPrettyString();
        spec.commandLine().getOut().println(text);
        run.write(text);
        return RunOptions.end(spec, "over budget", result.broken());
    }
}
