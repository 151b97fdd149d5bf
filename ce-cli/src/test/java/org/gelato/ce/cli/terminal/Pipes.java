package org.gelato.ce.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** FIFOs, as a shell's {@code <(...)} is one. */
public final class Pipes {
    private Pipes() {}

    /** Makes one that its first reader reads a text from. */
    public static void write(Path fifo, String text) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", fifo.toString())
                        .start()
                        .waitFor())
                .isZero();
        Thread writer = new Thread(() -> {
            try {
                Files.writeString(fifo, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.setDaemon(true);
        writer.start();
    }

    /** The text of any file. */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
