package org.gelato.ce.it.site;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The classes of the CE, prepared by the JVM at the first CE that stops cleanly: this process starts dozens of CEs, and
 * loading classes is half of what a start costs.
 */
final class SharedClasses {
    private static Path archive;
    private static boolean recording;
    private static boolean recorded;

    private SharedClasses() {}

    /** The class path of these tests without what is not the CE's: directories cannot be prepared. */
    static String classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path own = Path.of("target").toAbsolutePath();
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).toAbsolutePath().startsWith(own))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Options of the JVM of the next CE. */
    static synchronized List<String> options() {
        if (recorded) {
            return List.of("-XX:SharedArchiveFile=" + archive);
        }
        if (recording) {
            return List.of();
        }
        try {
            if (archive == null) {
                archive = Files.createTempFile("gelato-classes-", ".jsa");
                archive.toFile().deleteOnExit();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        recording = true;
        return List.of("-XX:ArchiveClassesAtExit=" + next());
    }

    /** A CE was started; with the options of this class or without. */
    static void started(ProcessHandle ce, List<String> command) {
        if (command.stream().anyMatch(option -> option.endsWith("=" + next()))) {
            ce.onExit().thenRun(SharedClasses::ended);
        }
    }

    /** Nothing was recorded by one that was killed. */
    private static synchronized void ended() {
        recording = false;
        try {
            if (Files.exists(next())) {
                Files.move(next(), archive, StandardCopyOption.REPLACE_EXISTING);
                recorded = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path next() {
        return Path.of(archive + ".next");
    }
}
