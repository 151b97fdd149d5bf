package org.gelato.ce.core.admission;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What Linux tells about this host: load, memory, swap, free descriptors, GridFTP connections. Read from files of the
 * kernel, so no process is started. A value that cannot be read shows as N/A. Thread-safe.
 */
final class HostReadings {
    private static final String NONE = "N/A";
    private static final String GRIDFTP_PORT = String.format(Locale.ROOT, ":%04X", 2811);

    private final Path proc;

    /**
     * @param proc where the kernel's files are, {@code /proc}
     */
    HostReadings(Path proc) {
        this.proc = proc;
    }

    /** In the order in which probes expect them, before the counts of descriptors, jobs and commands. */
    List<Measured> beforeDescriptors() {
        String[] loads = words("loadavg");
        Map<String, Long> memory = memory();
        return List.of(
                Measured.shown("Load Average(1 min)", word(loads, 0)),
                Measured.shown("Load Average(5 min)", word(loads, 1)),
                Measured.shown("Load Average(15 min)", word(loads, 2)),
                Measured.shown("Memory Usage", used(memory.get("MemTotal"), memory.get("MemAvailable"))),
                Measured.shown("Swap Usage", used(memory.get("SwapTotal"), memory.get("SwapFree"))),
                Measured.shown("Free FD", freeDescriptors()));
    }

    /** Connections to the GridFTP port. */
    Measured ftpConnections() {
        long count = 0;
        for (String file : List.of("net/tcp", "net/tcp6")) {
            // Columns: number, local address:port, remote address:port, ...
            count += lines(file).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(columns -> columns.length > 2
                            && (columns[1].endsWith(GRIDFTP_PORT) || columns[2].endsWith(GRIDFTP_PORT)))
                    .count();
        }
        return Measured.shown("FTP Connection", Long.toString(count));
    }

    private String freeDescriptors() {
        String[] numbers = words("sys/fs/file-nr");
        try {
            return Long.toString(Long.parseLong(numbers[2]) - Long.parseLong(numbers[0]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return NONE;
        }
    }

    private Map<String, Long> memory() {
        Map<String, Long> values = new HashMap<>();
        for (String line : lines("meminfo")) {
            String[] words = line.split("[:\\s]+");
            if (words.length > 1 && words[1].matches("[0-9]{1,18}")) {
                values.put(words[0], Long.parseLong(words[1]));
            }
        }
        return values;
    }

    private static String used(Long total, Long free) {
        if (total == null || free == null) {
            return NONE;
        }
        return total == 0 ? "0%" : String.format(Locale.ROOT, "%.2f%%", 100.0 * (total - free) / total);
    }

    private static String word(String[] words, int index) {
        return index < words.length && !words[index].isEmpty() ? words[index] : NONE;
    }

    private String[] words(String file) {
        return String.join(" ", lines(file)).strip().split("\\s+");
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(proc.resolve(file), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return List.of();
        }
    }
}
