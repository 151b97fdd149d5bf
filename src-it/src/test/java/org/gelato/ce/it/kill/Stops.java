package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.gelato.ce.core.step.Step;

/** The steps at which threads of a CE stop, by files in its directory. */
final class Stops {
    private static final Duration STOP = Duration.ofMinutes(3);

    private final Path file;

    /** @param base the CE's directory */
    Stops(Path base) {
        file = base.resolve("stop");
    }

    /** For the JVM of the CE. */
    String option() {
        return "-Dgelato.test.stop-file=" + file;
    }

    /** The next threads of the CE that come to these steps stop there. */
    void arm(Step... steps) {
        try {
            String names = Arrays.stream(steps).map(Step::name).collect(Collectors.joining(","));
            Path beside = Files.writeString(file.resolveSibling("stop.next"), names);
            Files.move(beside, file.resolveSibling("stop.at"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the CE stands at a step.
     *
     * @param atWork what is done instead, for a message
     * @param calls on the way: the failure of one is thrown
     * @throws IllegalStateException when the step is not reached
     */
    void await(Step step, Supplier<String> atWork, Future<?>... calls) {
        try {
            Awaitility.await("the CE is at " + step)
                    .atMost(STOP)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        for (Future<?> call : calls) {
                            if (call.isDone()) {
                                call.get();
                            }
                        }
                        return Files.exists(file) && Files.readAllLines(file).contains(step.name());
                    });
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(e.getMessage() + ". Instead: " + atWork.get(), e);
        }
    }

    /** Lets the stopped threads, if there are any, go on. */
    void release() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        try {
            return "stop file: " + (Files.exists(file) ? Files.readString(file) : "absent");
        } catch (IOException e) {
            return e.toString();
        }
    }
}
