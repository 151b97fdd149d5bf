package org.gelato.ce.it.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.gelato.ce.it.site.Skipped;

/** A file system of its own, which can be filled to the last byte and emptied again. */
public final class SmallDisk implements AutoCloseable {
    private static final int FEW_MIB = 4;

    private final Path directory;
    private final Path filling;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.filling = directory.resolve("filling");
    }

    /** Mounts it; skips the test where that may not be done. */
    public static SmallDisk mount() throws IOException {
        return mount(FEW_MIB);
    }

    /**
     * The same of another size.
     *
     * @param mebibytes of memory at most, as files take it
     */
    public static SmallDisk mount(int mebibytes) throws IOException {
        if (!System.getProperty("user.name").equals("root")) {
            Skipped.because("full disk", "only root can mount a file system");
        }
        Path directory = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-small-disk-");
        String words =
                run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m,mode=0711", "tmpfs", directory.toString());
        if (!words.isEmpty()) {
            Files.delete(directory);
            Skipped.because("full disk", "no file system could be mounted: " + words);
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        return new SmallDisk(directory);
    }

    public Path directory() {
        return directory;
    }

    /** Leaves not a byte. */
    public void fill() throws IOException {
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filling)) {
            while (true) {
                out.write(page);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw e;
            }
        }
    }

    public void empty() throws IOException {
        Files.delete(filling);
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            return process.waitFor() == 0 ? "" : String.join(" ", List.of(command)) + ": " + words;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            run("umount", "--lazy", directory.toString());
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
