package org.gelato.ce.it.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel counts about a process. */
public final class ProcessCount {
    private ProcessCount() {}

    /**
     * Page faults of children that a process has waited for (field 11 of /proc/PID/stat): it stands still as long as no
     * child ends, so that a child that came and went between two scans is counted too.
     */
    public static long faultsOfEndedChildren(long pid) {
        String stat = read(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[8]);
    }

    /** Open descriptors of a process. */
    public static long descriptors(long pid) {
        String[] names = Path.of("/proc/" + pid + "/fd").toFile().list();
        return names == null ? 0 : names.length;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
