package org.gelato.ce.perf.stub;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * How the simulated batch system behaves at the moment: set by a file, which the measurement replaces while the CE runs.
 * Read at most every tenth of a second. Without the file it behaves as it was started. Thread-safe.
 */
public final class StubControl {
    private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path file;
    private final Behaviour usual;
    private Behaviour now;
    private long readAt;

    /** @param file null for a behaviour that never changes */
    public StubControl(Path file, StubSettings settings) {
        this.file = file;
        usual = new Behaviour(settings.slots(), Duration.ZERO, true);
        now = usual;
        readAt = System.nanoTime() - FRESH;
    }

    /**
     * A way to behave.
     *
     * @param slots jobs that run at once; those that run go on when there are fewer
     * @param answer how long it takes to respond to a hand-over
     * @param isOpen whether it takes jobs at all; a closed one refuses at once, and certainly has not accepted the job
     */
    public record Behaviour(int slots, Duration response, boolean isOpen) {
        public Behaviour {
            if (slots < 0 || response.isNegative()) {
                throw new IllegalArgumentException("slots and response time must not be negative");
            }
        }
    }

    /** Replaces the file at once. */
    public static void write(Path file, Behaviour behaviour) {
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(
                    beside,
                    "slots=" + behaviour.slots() + "\nanswer="
                            + behaviour.response().toMillis() + "\nopen=" + behaviour.isOpen() + "\n");
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean mayChange() {
        return file != null;
    }

    int slots() {
        return now().slots();
    }

    /** Done when the batch system would respond; fails when it takes no jobs. */
    CompletableFuture<Void> response() {
        Behaviour behaviour = now();
        if (!behaviour.isOpen()) {
            return CompletableFuture.failedFuture(new IllegalStateException("the batch system takes no jobs now"));
        }
        if (behaviour.response().isZero()) {
            return CompletableFuture.completedFuture(null);
        }
        Executor later = CompletableFuture.delayedExecutor(behaviour.response().toMillis(), TimeUnit.MILLISECONDS);
        return CompletableFuture.runAsync(() -> {}, later);
    }

    private synchronized Behaviour now() {
        if (file != null && System.nanoTime() - readAt >= FRESH) {
            now = read();
            readAt = System.nanoTime();
        }
        return now;
    }

    private Behaviour read() {
        Properties p = new Properties();
        try {
            p.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
            return new Behaviour(
                    Integer.parseInt(p.getProperty("slots", "")),
                    Duration.ofMillis(Long.parseLong(p.getProperty("answer", ""))),
                    Boolean.parseBoolean(p.getProperty("open", "true")));
        } catch (NoSuchFileException e) {
            return usual;
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException(file + " cannot be used: " + e.getMessage(), e);
        }
    }
}
