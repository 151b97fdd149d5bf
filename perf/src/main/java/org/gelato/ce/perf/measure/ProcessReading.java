package org.gelato.ce.perf.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the kernel reports about a process at one moment, from /proc.
 *
 * @param name its program's, at most 15 characters
 * @param userMillis user time of its threads, in steps of 10 ms
 * @param systemMillis system time of its threads
 * @param childrenUserMillis user time of children it has waited for
 * @param childrenSystemMillis system time of children it has waited for
 * @param endedChildrenFaults page faults of children it has waited for: stands still as long as no child ends
 * @param rssKib resident memory
 * @param threads its threads
 * @param descriptors its open descriptors
 */
public record ProcessReading(
        String name,
        long userMillis,
        long systemMillis,
        long childrenUserMillis,
        long childrenSystemMillis,
        long endedChildrenFaults,
        long rssKib,
        int threads,
        int descriptors) {
    private static final long MILLIS_PER_TICK = 10;
    private static final long PAGE_KIB = 4;

    /** User and system time of its threads. */
    public long cpuMillis() {
        return userMillis + systemMillis;
    }

    /** User and system time of children it has waited for. */
    public long childrenCpuMillis() {
        return childrenUserMillis + childrenSystemMillis;
    }

    /** Empty when there is no such process any more. */
    public static Optional<ProcessReading> of(long pid) {
        Path directory = Path.of("/proc", Long.toString(pid));
        try {
            String stat = Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name may hold blanks and brackets; numbered from 0, field 3 of proc(5) is the first after it.
            int bracket = stat.lastIndexOf(')');
            String[] f = stat.substring(bracket + 2).split(" ");
            String[] descriptors = directory.resolve("fd").toFile().list();
            return Optional.of(new ProcessReading(
                    stat.substring(stat.indexOf('(') + 1, bracket),
                    number(f, 11) * MILLIS_PER_TICK,
                    number(f, 12) * MILLIS_PER_TICK,
                    number(f, 13) * MILLIS_PER_TICK,
                    number(f, 14) * MILLIS_PER_TICK,
                    number(f, 8),
                    number(f, 21) * PAGE_KIB,
                    (int) number(f, 17),
                    descriptors == null ? 0 : descriptors.length));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long number(String[] fields, int index) {
        return Long.parseLong(fields[index].strip());
    }
}
