package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;

/** The clock of a CE's JVM, which is moved while it runs (clock.c). */
public final class MovableClock {
    private final Path library;
    private final Path shift;

    private MovableClock(Path library, Path shift) {
        this.library = library;
        this.shift = shift;
    }

    /** In a directory; empty where it cannot be built. */
    static Optional<MovableClock> in(Path directory) {
        Path source = directory.resolve("clock.c");
        MovableClock clock = new MovableClock(directory.resolve("clock.so"), directory.resolve("clock"));
        try (InputStream text = MovableClock.class.getResourceAsStream("clock.c")) {
            Files.copy(text, source);
            Process gcc = new ProcessBuilder(
                            "gcc", "-shared", "-fPIC", "-O2", "-o", clock.library.toString(), source.toString())
                    .inheritIO()
                    .start();
            if (gcc.waitFor() != 0) {
                return Optional.empty();
            }
            Files.write(clock.shift, new byte[Long.BYTES]);
            return Optional.of(clock);
        } catch (IOException noCompiler) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Variables for the JVM's start. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "GELATO_TEST_CLOCK", shift.toString());
    }

    /** @param seconds how far it is ahead of the host's; less than 0 for behind */
    public void move(long seconds) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.putLong(seconds).flip();
        try (FileChannel file = FileChannel.open(shift, StandardOpenOption.WRITE)) {
            file.write(bytes, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
