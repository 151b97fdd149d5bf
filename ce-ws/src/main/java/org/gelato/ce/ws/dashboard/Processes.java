package org.gelato.ce.ws.dashboard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * CPU and memory of the processes of this CE, from the kernel's files: the JVM, the built-in database, the helper with its workers. What a
 * worker ran does not count, as it is the batch system's command or, with the fork batch system, a job. CPU of a process that ended counts
 * up to the reading before. Used by one thread.
 */
public final class Processes {
    /** As the kernel cuts it, at most 15 characters. */
    private static final String HELPER = "gelato-helper";

    private static final double TICKS_PER_SECOND = 100;
    private static final double PAGE = 4096;

    private final LongSupplier database;
    private final LongSupplier helper;
    private final Group jvmGroup = new Group();
    private final Group databaseGroup = new Group();
    private final Group helperGroup = new Group();

    /**
     * @param database process number of the built-in database; 0 when there is none
     * @param helper process number of what was started as the helper, which may be {@code sudo}; 0 while there is none
     */
    public Processes(LongSupplier database, LongSupplier helper) {
        this.database = database;
        this.helper = helper;
    }

    /**
     * Processes of one kind.
     *
     * @param cpuSeconds since the first reading in which each was; NaN when there never was one
     * @param residentBytes now; NaN when there is none
     */
    public record Usage(double cpuSeconds, double residentBytes) {}

    /** One reading of all. */
    public record Reading(Usage jvm, Usage database, Usage helper) {}

    /** Reads the present values. */
    public Reading read() {
        long root = helper.getAsLong();
        LongStream below = root == 0
                ? LongStream.empty()
                : ProcessHandle.of(root).stream()
                        .flatMap(ProcessHandle::descendants)
                        .mapToLong(ProcessHandle::pid);
        long db = database.getAsLong();
        return new Reading(
                jvmGroup.add(LongStream.of(ProcessHandle.current().pid()), null),
                databaseGroup.add(db == 0 ? LongStream.empty() : LongStream.of(db), null),
                helperGroup.add(
                        LongStream.concat(root == 0 ? LongStream.empty() : LongStream.of(root), below), HELPER));
    }

    private record Stat(String name, double cpu, double resident) {}

    private static Optional<Stat> stat(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            // The name may hold blanks and brackets; what follows it begins with field 3 of proc(5).
            int bracket = line.lastIndexOf(')');
            String[] fields = line.substring(bracket + 2).split(" ");
            return Optional.of(new Stat(
                    line.substring(line.indexOf('(') + 1, bracket),
                    (Double.parseDouble(fields[11]) + Double.parseDouble(fields[12])) / TICKS_PER_SECOND,
                    Double.parseDouble(fields[21]) * PAGE));
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // It has ended.
        }
    }

    /** Remembers what each process had used, so that the sum never goes back. */
    private static final class Group {
        private Map<Long, Double> last = new HashMap<>();
        private double total = Double.NaN;

        Usage add(LongStream pids, String name) {
            Map<Long, Double> now = new HashMap<>();
            double resident = 0;
            for (long pid : pids.toArray()) {
                Stat stat = stat(pid)
                        .filter(s -> name == null || s.name().equals(name))
                        .orElse(null);
                if (stat != null) {
                    now.put(pid, stat.cpu());
                    resident += stat.resident();
                    double before = last.getOrDefault(pid, 0.0);
                    total = (Double.isNaN(total) ? 0 : total) + Math.max(0, stat.cpu() - before);
                }
            }
            last = now;
            return new Usage(total, now.isEmpty() ? Double.NaN : resident);
        }
    }
}
