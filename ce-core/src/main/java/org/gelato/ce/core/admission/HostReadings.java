package org.gelato.ce.core.admission;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What Linux tells about this host and this process: load, memory, swap, descriptors, GridFTP connections, disks. Read
 * from files of the kernel, so no process is started. A value that cannot be read shows as N/A and passes no limit.
 * Thread-safe. A reading may take as long as a file system takes to respond.
 */
public final class HostReadings {
    private final Path proc;
    private final String ftpPort;
    private final Map<String, Path> disks;

    /**
     * @param proc where the kernel's files are, {@code /proc}
     * @param ftpPort of the GridFTP server
     * @param disks directories the CE writes to, by what they are called in front of users
     */
    public HostReadings(Path proc, int ftpPort, Map<String, Path> disks) {
        this.proc = proc;
        this.ftpPort = String.format(Locale.ROOT, ":%04X", ftpPort);
        this.disks = new TreeMap<>(disks);
    }

    /**
     * One sample of everything.
     *
     * @param first in the order in which probes expect them, before the counts of jobs and commands
     * @param last what the original does not show, behind those
     */
    record Sample(List<Measured> first, List<Measured> last) {
        static final Sample NONE = new Sample(List.of(), List.of());
    }

    Sample sample(AdmissionLimits limits) {
        HostLimits l = limits.host();
        String[] loads = words("loadavg");
        double now = number(loads, 0);
        Map<String, Long> memory = memory();
        return new Sample(
                List.of(
                        load("1 min", l.load1(), loads, 0),
                        load("5 min", l.load5(), loads, 1).countsIf(now > number(loads, 1)),
                        load("15 min", l.load15(), loads, 2).countsIf(now > number(loads, 2)),
                        percent("Memory Usage", l.memory(), used(memory.get("MemTotal"), memory.get("MemAvailable"))),
                        percent("Swap Usage", l.swap(), used(memory.get("SwapTotal"), memory.get("SwapFree"))),
                        freeDescriptors(l.freeDescriptors()),
                        openDescriptors(limits.openDescriptors()),
                        Measured.count("FTP Connection", l.ftpConnections(), ftpConnections())),
                disks.entrySet().stream()
                        .map(d -> percent("Disk Usage(" + d.getKey() + ")", l.disk(), used(d.getValue())))
                        .toList());
    }

    private static Measured load(String span, long limit, String[] loads, int index) {
        return Measured.atMost(
                "Load Average(" + span + ")", limit, number(loads, index), index < loads.length ? loads[index] : "");
    }

    private static Measured percent(String what, long limit, double percent) {
        return Measured.atMost(what, limit, percent, String.format(Locale.ROOT, "%.2f%%", percent));
    }

    private Measured freeDescriptors(long limit) {
        String[] numbers = words("sys/fs/file-nr"); // in use, free (always 0), most
        double free = number(numbers, 2) - number(numbers, 0);
        return Measured.atLeast("Free FD", limit, free, String.format(Locale.ROOT, "%.0f", free));
    }

    private static Measured openDescriptors(long limit) {
        double open = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : Double.NaN;
        return Measured.atMost("tomcat FD", limit, open, String.format(Locale.ROOT, "%.0f", open))
                .detectedAs("Tomcat FD");
    }

    private long ftpConnections() {
        long count = 0;
        for (String file : List.of("net/tcp", "net/tcp6")) {
            // Columns: number, local address:port, remote address:port, ...
            count += lines(file).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(columns ->
                            columns.length > 2 && (columns[1].endsWith(ftpPort) || columns[2].endsWith(ftpPort)))
                    .count();
        }
        return count;
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

    private static double used(Long total, Long free) {
        if (total == null || free == null) {
            return Double.NaN;
        }
        return total == 0 ? 0 : 100.0 * (total - free) / total;
    }

    /** As {@code df} counts: what only root may still use is not there. */
    private static double used(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            double used = (double) store.getTotalSpace() - store.getUnallocatedSpace();
            double all = used + store.getUsableSpace();
            return all > 0 ? 100.0 * used / all : Double.NaN;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    private static double number(String[] words, int index) {
        try {
            return index < words.length ? Double.parseDouble(words[index]) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
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
