package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.testkit.model.ModelChecker;
import org.gelato.ce.testkit.model.StepTraces;
import org.gelato.ce.testkit.model.TraceReplay;

/** Compares what a CE did for each job with the model of docs/developer/model.md. */
final class ModelReplay {
    private static final Path KEPT = Path.of("target", "kill");

    private ModelReplay() {}

    /** Each job's steps are those of a run of the model; the different ones are left in {@code target/kill/NAME.traces}. */
    static void of(String name, KillSite site) {
        List<String> traces = StepTraces.recorded(site.trace());
        try {
            Files.write(Files.createDirectories(KEPT).resolve(name + ".traces"), traces);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (ModelChecker.missing().isPresent()) {
            System.out.println(name + ": " + ModelChecker.missing().get() + ", so its runs are not replayed");
            return;
        }
        List<String> steps = Arrays.stream(Step.values()).map(Step::name).toList();
        TraceReplay replay =
                new TraceReplay(Path.of("..", "model", "handover.pml"), steps, KEPT.resolve(name + ".replay"));
        assertThat(replay.refused(traces))
                .as("runs that no run of the model can be")
                .isEmpty();
    }
}
