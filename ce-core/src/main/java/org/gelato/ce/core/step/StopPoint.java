package org.gelato.ce.core.step;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * Stops threads at steps until a test lets them go on, so that the test can kill something at exactly this moment. Armed
 * for some steps, each once: by the property {@code gelato.test.stop-at=STEP[:n][,STEP[:n]...]} from the start on, or while
 * the process runs by a file named as the stop file with {@code .at} behind it that holds the same text and is renamed into
 * place; it is removed when it was read. The thread that reaches a step for the n-th time since then adds the step's name to
 * the stop file and waits until the test removes that; other threads go on.
 */
final class StopPoint {
    private static final long LOOK_NANOS = 5_000_000;

    private final Path marker;
    private final Path at;
    private final Map<Step, Integer> armed = new EnumMap<>(Step.class);

    /** @param armed {@code STEP[:n][,STEP[:n]...]}; empty to wait for the file */
    StopPoint(Path marker, String armed) {
        this.marker = marker;
        this.at = marker.resolveSibling(marker.getFileName() + ".at");
        arm(armed);
    }

    private void arm(String text) {
        armed.clear();
        for (String one : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] parts = one.split(":", 2);
            armed.put(Step.valueOf(parts[0]), parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
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
            if (Files.exists(at)) {
                String text = Files.readString(at).strip();
                Files.delete(at);
                arm(text);
            }
            Integer left = armed.computeIfPresent(step, (s, passes) -> passes - 1);
            if (left == null || left > 0) {
                return false;
            }
            armed.remove(step);
            Files.writeString(marker, step.name() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
