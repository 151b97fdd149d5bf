package org.gelato.ce.core.job;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.gelato.ce.json.JobDetail;

/**
 * What a job used on its worker nodes, as far as it was measured: null is unknown, never zero. A value that cannot be (not
 * positive, or above the bounds here) is taken as unknown, because jobs can forge what is reported of them; so no value makes the
 * end of a job fail.
 *
 * <p>Two report it, the job wrapper and the batch system, in any order and each perhaps several times. The rule, kept by {@link
 * UsageRecords#MERGE} for stored records: of each value the batch system's counts where it measured one, and the wrapper's fills
 * in the rest. Of two reports of the batch system the later counts, of two of the wrapper the first. The batch system counts
 * more since a job cannot write there, and since its site accounts by it (docs/developer/decisions/0066).
 *
 * @param cpu user and system time of all processes together; to the millisecond
 * @param wall how long the job had its nodes, not times cores; to the millisecond
 * @param cores given to the job on all its nodes
 * @param peakMemoryKib the most memory in use at a time, in KiB
 * @param source who measured; never null
 */
public record Usage(Duration cpu, Duration wall, Integer cores, Long peakMemoryKib, Source source) {
    /** What the columns hold, 317 years. */
    static final Duration LONGEST = Duration.ofMillis(9_999_999_999_999L);

    static final int MAX_CORES = 10_000_000;
    /** The most memory that is believed: a pebibyte, in KiB. */
    static final long MAX_MEMORY_KIB = 1L << 40;

    /** Who measured. The ordinal and 1 are the database code: never reorder them. */
    public enum Source {
        WRAPPER("job wrapper"),
        BATCH_SYSTEM("batch system"),
        BOTH("batch system, job wrapper");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        int code() {
            return ordinal() + 1;
        }

        static Source ofCode(int code) {
            return values()[code - 1];
        }
    }

    public Usage {
        cpu = plausible(cpu) ? Duration.ofMillis(cpu.toMillis()) : null;
        wall = plausible(wall) ? Duration.ofMillis(wall.toMillis()) : null;
        cores = cores != null && cores > 0 && cores <= MAX_CORES ? cores : null;
        peakMemoryKib =
                peakMemoryKib != null && peakMemoryKib > 0 && peakMemoryKib <= MAX_MEMORY_KIB ? peakMemoryKib : null;
    }

    private static boolean plausible(Duration time) {
        return time != null && time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(LONGEST) <= 0;
    }

    /** Whether nothing is known. */
    public boolean isEmpty() {
        return cpu == null && wall == null && cores == null && peakMemoryKib == null;
    }

    /** This, or null when nothing is known. */
    public Usage orNull() {
        return isEmpty() ? null : this;
    }

    /** This as shown; times are seconds with three decimals. */
    public Map<JobDetail, String> details() {
        Map<JobDetail, String> details = new EnumMap<>(JobDetail.class);
        details.put(JobDetail.CPU_TIME, seconds(cpu));
        details.put(JobDetail.WALL_TIME, seconds(wall));
        details.put(JobDetail.CORES, cores == null ? null : cores.toString());
        details.put(JobDetail.PEAK_MEMORY, peakMemoryKib == null ? null : peakMemoryKib.toString());
        details.put(JobDetail.MEASURED_BY, source.words);
        return JobDetail.copy(details);
    }

    private static String seconds(Duration time) {
        return time == null ? null : BigDecimal.valueOf(time.toMillis(), 3).toPlainString();
    }

    /** The same without a wall time above {@code most}, which the job cannot have had; null when nothing is left. */
    public Usage within(Duration most) {
        return wall == null || wall.compareTo(most) <= 0
                ? this
                : new Usage(cpu, null, cores, peakMemoryKib, source).orNull();
    }
}
