package org.gelato.ce.testkit.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories that measurements make for themselves, and what they share. */
public final class ScratchDirectory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path DISK = Path.of("/var/tmp");

    private ScratchDirectory() {}

    /** Makes one that other accounts may pass through but not list. */
    public static Path make(String prefix) throws IOException {
        return make(DISK, prefix);
    }

    /** The same in memory where the system has a place for that; on disk otherwise. */
    public static Path inMemory(String prefix) throws IOException {
        return make(Files.isWritable(MEMORY) ? MEMORY : DISK, prefix);
    }

    private static Path make(Path parent, String prefix) throws IOException {
        Path made = Files.createTempDirectory(parent, prefix);
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx--x--x"));
    }

    /** Removes it and all in it; what is gone already is fine. */
    public static void remove(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " could not be removed: " + e.getMessage(), e);
        }
    }

    /** Unpacked database programs, shared with tests and other measurements of this user, because they are large. */
    public static Path cache() {
        String given = System.getProperty("gelato.cache", "");
        return given.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "gelato") : Path.of(given);
    }
}
