package org.gelato.ce.perf.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The batch system's programs behind scripts of the same names, each of which notes its start and then becomes the program:
 * one start is one line, and no process is added. Processes that live for milliseconds can be counted in no other way without
 * privileges.
 */
public final class CountedPrograms {
    private final Path directory;
    private final Path starts;

    private CountedPrograms(Path directory, Path starts) {
        this.directory = directory;
        this.starts = starts;
    }

    /**
     * @param base made here; every account may pass through what is above
     * @param original where the programs are; one that is not there is left out
     */
    static CountedPrograms make(Path base, Path original, String... names) throws IOException {
        Path directory = Files.createDirectories(base.resolve("bin"));
        Path starts = Files.createDirectories(base.resolve("starts"));
        allow(base, "rwxr-xr-x");
        allow(directory, "rwxr-xr-x");
        allow(starts, "rwxr-xr-x");
        for (String name : names) {
            Path program = original.resolve(name);
            if (Files.isExecutable(program)) {
                // Jobs' accounts and the helper's own write here; it holds nothing but names.
                allow(Files.createFile(starts.resolve(name)), "rw-rw-rw-");
                Path script = directory.resolve(name);
                Files.writeString(
                        script,
                        "#!/bin/sh\necho " + name + " >>" + starts.resolve(name) + "\nexec " + program + " \"$@\"\n");
                allow(script, "rwxr-xr-x");
            }
        }
        return new CountedPrograms(directory, starts);
    }

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Where the scripts are. */
    Path directory() {
        return directory;
    }

    /** Starts so far, by program. */
    public Map<String, Long> counts() {
        try (Stream<Path> files = Files.list(starts)) {
            return files.collect(
                    Collectors.toMap(f -> f.getFileName().toString(), CountedPrograms::lines, Long::sum, TreeMap::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
