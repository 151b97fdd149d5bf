package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Functions of the C library as a test has them, by files in a directory that all accounts may read. */
final class PreloadedLibrary {
    private final Path directory;

    /**
     * Compiles them.
     *
     * @param source C, in which DIRECTORY is a literal: that of the files, with a slash at its end
     */
    PreloadedLibrary(Path temporary, String source) throws IOException, InterruptedException {
        directory = temporary.toRealPath();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(new ProcessBuilder(
                                "cc",
                                "-shared",
                                "-fPIC",
                                "-D_GNU_SOURCE",
                                "-DDIRECTORY=\"" + directory + "/\"",
                                "-o",
                                "library.so",
                                Files.writeString(directory.resolve("library.c"), source)
                                        .toString(),
                                "-ldl")
                        .directory(directory.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    RunningHelper start(Path temporary, String... options) throws IOException {
        return RunningHelper.with(temporary, "export LD_PRELOAD=" + directory.resolve("library.so"), options);
    }

    /** Seen whole or not at all. */
    void set(String file, String content) throws IOException {
        Path beside = Files.writeString(directory.resolve("beside"), content);
        Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(beside, directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }

    void remove(String file) throws IOException {
        Files.deleteIfExists(directory.resolve(file));
    }
}
