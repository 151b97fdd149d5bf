package org.gelato.ce.core.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gelato.ce.testkit.model.ModelChecker;
import org.gelato.ce.testkit.model.StepTraces;
import org.gelato.ce.testkit.model.TraceReplay;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that were recorded are runs of the model of docs/developer/model.md, and others are not. */
class TraceReplayTest {
    private static final Path MODELS = Path.of("..", "model");

    @TempDir
    Path scratch;

    private List<String> refused(List<String> traces) {
        ModelChecker.missing().ifPresent(reason -> assumeTrue(false, reason + ", so no run is replayed"));
        List<String> steps = Arrays.stream(Step.values()).map(Step::name).toList();
        return new TraceReplay(MODELS.resolve("handover.pml"), steps, scratch).refused(traces);
    }

    /** What the kill tests recorded once, who replay what they record, too; in one check, as most of its cost is the compiler's. */
    @Test
    void recordedRunsAreRunsOfTheModelAndThoseInAnotherOrderAreRefused() throws IOException {
        List<String> traces = new ArrayList<>(Files.readAllLines(MODELS.resolve("traces.txt")));
        assertThat(traces).hasSizeGreaterThan(10);
        String start =
                "REGISTER_WRITTEN/0 REGISTER_STORED/0 REGISTER_READY/0 START_WRITTEN/0 CLAIM_WRITTEN/0 START_STORED/0 ";
        String usual =
                start + "HAND_OVER_CLAIMED/0 HAND_OVER_SENT/0 HAND_OVER_ANSWERED/0 OUTCOME_WRITTEN/0 OUTCOME_STORED/0";
        String unclaimed = start + "HAND_OVER_SENT/0 HAND_OVER_CLAIMED/0 HAND_OVER_ANSWERED/0";
        String twice =
                start + "HAND_OVER_CLAIMED/0 HAND_OVER_SENT/0 CLAIM_WRITTEN/1 HAND_OVER_CLAIMED/1 HAND_OVER_SENT/1";
        String unwritten = start + "HAND_OVER_CLAIMED/0 HAND_OVER_SENT/0 HAND_OVER_ANSWERED/0 OUTCOME_STORED/0";
        traces.addAll(List.of(usual, unclaimed, twice, unwritten));
        assertThat(refused(traces)).containsExactly(unclaimed, twice, unwritten);
    }

    @Test
    void stepsAreRecordedByJobAndProcess() throws IOException {
        Path file = scratch.resolve("trace");
        String own = Long.toString(ProcessHandle.current().pid());
        Files.writeString(file, "1" + own + " START_WRITTEN 7 8\n");
        StepTrace trace = StepTrace.of(name -> name.equals("gelato.test.trace-file") ? file.toString() : null);
        trace.reached(Step.START_WRITTEN, List.of(8, 7, 8), job -> job);
        trace.reached(Step.RENEW_REQUESTED, List.<Integer>of(), job -> job);
        trace.reached(Step.START_STORED, List.of(7), job -> job);
        Files.writeString(file, Files.readString(file) + "12 CLAIM_WRI");
        assertThat(StepTrace.of(name -> null)).isNull();
        assertThat(StepTraces.recorded(file))
                .containsExactly("START_WRITTEN/0 START_WRITTEN/1 START_STORED/1", "START_WRITTEN/0 START_WRITTEN/1");
    }
}
