package org.gelato.ce.core.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Steps stop nothing unless requested, stop the right pass of the right step, and are all reached. */
@Timeout(300)
class StepsTest {
    @TempDir
    Path directory;

    private void arm(String text) throws IOException {
        Path beside = Files.writeString(directory.resolve("next"), text);
        Files.move(beside, directory.resolve("stop.at"));
    }

    private StopPoint stopPoint(String armed) {
        return new StopPoint(directory.resolve("stop"), armed);
    }

    @Test
    void withoutThePropertyThereIsNoStopPoint() {
        assertThat(StopPoint.of(name -> null)).isNull();
        assertThat(StopPoint.of(name -> name.equals("gelato.test.stop-at") ? "START_STORED" : null))
                .isNull();
        Arrays.stream(Step.values()).forEach(Steps::reached);
    }

    @Test
    void aThreadStopsAtTheNthPassAndGoesOnWhenTheFileIsGone() throws IOException {
        StopPoint stop = stopPoint("START_STORED:2");
        stop.reached(Step.START_STORED);
        stop.reached(Step.START_WRITTEN);
        stop.reached(null);
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> stop.reached(Step.START_STORED));
        await().until(() -> Files.exists(directory.resolve("stop")));
        assertThat(directory.resolve("stop")).hasContent("START_STORED");
        stop.reached(Step.START_STORED);
        assertThat(second).isNotDone();
        Files.delete(directory.resolve("stop"));
        second.join();
        stop.reached(Step.START_STORED);
    }

    @Test
    void aFileArmsARunningProcessOnce() throws IOException {
        StopPoint stop = stopPoint("");
        stop.reached(Step.ROWS_DELETED);
        for (int round = 0; round < 2; round++) {
            arm("ROWS_DELETED");
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> stop.reached(Step.ROWS_DELETED));
            await().until(() -> Files.exists(directory.resolve("stop")));
            assertThat(directory.resolve("stop.at")).doesNotExist();
            Files.delete(directory.resolve("stop"));
            stopped.join();
        }
    }

    @Test
    void threadsStopAtSeveralStepsAtOnce() throws IOException {
        StopPoint stop = stopPoint("");
        arm("CONTROL_SENT,PURGE_STORED");
        CompletableFuture<Void> one = CompletableFuture.runAsync(() -> stop.reached(Step.PURGE_STORED));
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> stop.reached(Step.CONTROL_SENT));
        Path marker = directory.resolve("stop");
        await().until(() -> Files.exists(marker) && Files.readAllLines(marker).size() == 2);
        assertThat(Files.readAllLines(marker)).containsExactlyInAnyOrder("CONTROL_SENT", "PURGE_STORED");
        assertThat(one).isNotDone();
        assertThat(other).isNotDone();
        Files.delete(marker);
        one.join();
        other.join();
    }

    @Test
    void anUnknownStepIsRefusedAtTheStart() {
        assertThatThrownBy(() -> stopPoint("NO_SUCH_STEP")).isInstanceOf(IllegalArgumentException.class);
    }

    /** A step that no code reaches could never be killed at. */
    @Test
    void everyStepIsReachedSomewhere() throws IOException {
        StringBuilder code = new StringBuilder();
        try (Stream<Path> sources = Files.walk(Path.of("src", "main", "java").toAbsolutePath())) {
            for (Path source : sources.filter(p -> p.toString().endsWith(".java"))
                    .filter(p -> !p.getParent().endsWith("step"))
                    .toList()) {
                code.append(Files.readString(source));
            }
        }
        assertThat(Step.values())
                .allSatisfy(step -> assertThat(code.toString()).containsPattern("Step\\." + step.name() + "\\b"));
    }
}
