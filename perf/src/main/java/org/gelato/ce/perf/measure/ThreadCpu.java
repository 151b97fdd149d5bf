package org.gelato.ce.perf.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What threads of a process have used, from /proc. */
public final class ThreadCpu {
    private static final double NANOS_PER_MILLI = 1e6;

    private ThreadCpu() {}

    /**
     * CPU time of the threads with this name since they began, exact to the microsecond; 0 without such a thread.
     *
     * @param name at most 15 characters, as the kernel keeps them
     */
    public static double millis(long pid, String name) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.mapToDouble(thread -> read(thread, "comm").strip().equals(name) ? millis(thread) : 0)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** proc(5): the first number of schedstat is the time on a processor, in nanoseconds. */
    private static double millis(Path thread) {
        String stat = read(thread, "schedstat");
        return stat.isEmpty() ? 0 : Long.parseLong(stat.split(" ")[0]) / NANOS_PER_MILLI;
    }

    private static String read(Path thread, String file) {
        try {
            return Files.readString(thread.resolve(file), StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            return ""; // it has ended
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
