package org.gelato.ce.core.step;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * Stops a thread at a step until a test lets it go on, so that the test can kill something at exactly this moment. Armed
 * for one step at a time, once: by the property {@code gelato.test.stop-at=STEP[:n]} from the start on, or while the
 * process runs by a file named as the stop file with {@code .at} behind it that holds the same text and is renamed into
 * place. The thread that reaches the step for the n-th time since then removes the {@code .at} file, makes the stop file
 * and waits until the test removes that; other threads go on.
 */
final class StopPoint {
    private static final long LOOK_NANOS = 5_000_000;

    private final Path marker;
    private final Path at;
    private String armed;
    private int passes;

    /** @param armed {@code STEP[:n]}; empty to wait for the file */
    StopPoint(Path marker, String armed) {
        this.marker = marker;
        this.at = marker.resolveSibling(marker.getFileName() + ".at");
        this.armed = armed;
        if (!armed.isEmpty()) {
            Step.valueOf(armed.split(":", 2)[0]);
        }
    }

    /** Null without the property {@code gelato.test.stop-file}. */
    static StopPoint of(UnaryOperator<String> properties) {
        String marker = properties.apply("gelato.test.stop-file");
        String armed = properties.apply("gelato.test.stop-at");
        return marker == null ? null : new StopPoint(Path.of(marker).toAbsolutePath(), armed == null ? "" : armed);
    }

    void reached(Step step) {
        if (step != null && isHere(step)) {
            while (Files.exists(marker)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private synchronized boolean isHere(Step step) {
        try {
            String text = Files.exists(at) ? Files.readString(at).strip() : armed;
            if (!text.equals(armed)) {
                armed = text;
                passes = 0;
            }
            String[] parts = text.split(":", 2);
            int wanted = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
            if (!parts[0].equals(step.name()) || ++passes < wanted) {
                return false;
            }
            armed = "";
            passes = 0;
            Files.deleteIfExists(at);
            Files.writeString(marker, step.name());
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
