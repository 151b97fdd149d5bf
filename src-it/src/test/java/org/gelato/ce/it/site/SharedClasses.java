package org.gelato.ce.it.site;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The classes of the CE, prepared by the JVM at the first CE that stops cleanly, for all processes of the tests and as long as the jars are
 * the same: the tests start dozens of CEs, and loading classes is half of what a start costs. One CE at a time prepares them, for that costs
 * as much again.
 */
final class SharedClasses {
    private static final Path ARCHIVE =
            Path.of("target", "ce-classes", fingerprint() + ".jsa").toAbsolutePath();
    private static final Path NEXT = ARCHIVE.resolveSibling(
            ARCHIVE.getFileName() + "." + ProcessHandle.current().pid());
    private static final int KILLED = 128 + 9;

    /** Held while a CE of this process prepares them; null while none does. */
    private static FileChannel recording;

    private SharedClasses() {}

    /** The class path of these tests without what is not the CE's: directories cannot be prepared. */
    static String classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path own = Path.of("target").toAbsolutePath();
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).toAbsolutePath().startsWith(own))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Of the jars, which the JVM compares too, but with a warning in the CE's log, and of the JVM. */
    static String fingerprint() {
        CRC32 sum = new CRC32();
        sum.update(System.getProperty("java.vm.version").getBytes(StandardCharsets.UTF_8));
        for (String entry : classPath().split(File.pathSeparator, -1)) {
            File file = new File(entry);
            sum.update((entry + " " + file.length() + " " + file.lastModified()).getBytes(StandardCharsets.UTF_8));
        }
        return Long.toHexString(sum.getValue());
    }

    /** Options of the JVM of the next CE. */
    static synchronized List<String> options() {
        if (Files.exists(ARCHIVE)) {
            return List.of("-XX:SharedArchiveFile=" + ARCHIVE);
        }
        return recording == null && mayRecord() ? List.of("-XX:ArchiveClassesAtExit=" + NEXT) : List.of();
    }

    private static boolean mayRecord() {
        try {
            Files.createDirectories(ARCHIVE.getParent());
            FileChannel channel = FileChannel.open(
                    ARCHIVE.resolveSibling("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                channel.close();
                return false;
            }
            recording = channel;
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A CE was started; with the options of this class or without. */
    static void started(Process ce, List<String> command) {
        if (command.contains("-XX:ArchiveClassesAtExit=" + NEXT)) {
            ce.onExit().thenAccept(ended -> ended(ended.exitValue()));
        }
    }

    /** What one that was killed has recorded is not whole. */
    private static synchronized void ended(int status) {
        try {
            if (status == KILLED) {
                Files.deleteIfExists(NEXT);
            } else if (Files.exists(NEXT)) {
                Files.move(NEXT, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
            }
            recording.close();
            recording = null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
