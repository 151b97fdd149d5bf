package org.gelato.ce.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ce perf jmh}: what single operations cost. Fails by ratios of the run, never by a time. */
@Command(
        name = "ce perf jmh",
        mixinStandardHelpOptions = true,
        description = "Measure single operations, beside older ways of doing the same on the same database server."
                + " Exit status 1 when a ratio between two of them is out of its bound.")
public final class JmhCommand implements Callable<Integer> {
    /** Exit status when a ratio is out of its bound or the measurement failed. */
    static final int FAILED = 1;

    @Option(names = "--quick", description = "Fewer parameters and iterations, for every build: about a minute.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            defaultValue = "",
            description = "Those benchmarks alone in whose names, Class.method, this is found.")
    private String only;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result to a file.")
    private Path json;

    @Spec
    private CommandSpec spec;

    private final List<Ratio> ratios;

    public JmhCommand() {
        this(Ratio.all(Pass.LEAST, Pass.MAX));
    }

    /** With other ratios than those of every run. */
    JmhCommand(List<Ratio> ratios) {
        this.ratios = ratios;
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        JmhRun run;
        try {
            long begin = System.nanoTime();
            run = new JmhRun(quick, Pattern.compile(only), what -> {
                err.println(
                        "ce perf jmh: " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + " s: " + what);
                err.flush();
            });
        } catch (PatternSyntaxException e) {
            throw new ParameterException(spec.commandLine(), "--only is no regular expression: " + e.getDescription());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--only: " + e.getMessage());
        }
        if (json != null) {
            // Before the work: a place that cannot be written is known at once.
            Files.writeString(json, "");
        }
        JmhReport report = new JmhReport(run.measure(), ratios, only.isEmpty());
        spec.commandLine().getOut().println(report.table());
        if (json != null) {
            Files.writeString(json, report.json());
        }
        List<Ratio.Measured> broken = report.broken();
        broken.forEach(m -> err.println("ce perf: out of bounds: " + m));
        return broken.isEmpty() ? 0 : FAILED;
    }
}
