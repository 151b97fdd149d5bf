package org.gelato.ce.perf.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.perf.site.BatchKind;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command line options of every measurement, and its exit status. */
public final class RunOptions {
    /** Exit status of a measurement that did not hold. */
    public static final int FAILED = 1;

    @Option(
            names = "--lrms",
            defaultValue = "stub",
            paramLabel = "KIND",
            description = "Batch system: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private BatchKind batch;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result to a file.")
    private Path json;

    /** The batch system to run on. */
    public BatchKind batch() {
        return batch;
    }

    /** Before the work: a place that cannot be written is known at once. */
    public void prepare() throws IOException {
        if (json != null) {
            Files.writeString(json, "");
        }
    }

    /** Writes the result to the file, if one was requested. */
    public void write(String result) throws IOException {
        if (json != null) {
            Files.writeString(json, result + "\n");
        }
    }

    /** Tells what did not hold; the exit status. */
    public static int end(CommandSpec spec, String message, List<?> broken) {
        broken.forEach(b -> spec.commandLine().getErr().println("ce perf: " + message + ": " + b));
        return broken.isEmpty() ? 0 : FAILED;
    }
}
