package org.gelato.ce.cli.wire;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What an ended job used, as the CE reports it in properties of the job's id; a CE that is not Gelato reports nothing. Null is unknown.
 *
 * @param cpuSeconds user and system time of all processes together
 * @param wallSeconds how long the job had its nodes
 * @param cores on all nodes
 * @param peakMemoryKib in KiB
 * @param source who measured, in words
 */
public record UsageReport(
        BigDecimal cpuSeconds, BigDecimal wallSeconds, Long cores, Long peakMemoryKib, String source) {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,9})?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    /** Reads the properties; an unreadable value counts as absent. Null when all are absent. */
    public static UsageReport of(Map<String, String> properties) {
        UsageReport report = new UsageReport(
                seconds(properties.get("USAGE_CPU_SECONDS")),
                seconds(properties.get("USAGE_WALL_SECONDS")),
                number(properties.get("USAGE_CORES")),
                number(properties.get("USAGE_PEAK_MEMORY_KIB")),
                properties.get("USAGE_SOURCE"));
        boolean reported = report.cpuSeconds != null
                || report.wallSeconds != null
                || report.cores != null
                || report.peakMemoryKib != null;
        return reported ? report : null;
    }

    private static BigDecimal seconds(String text) {
        return text != null && SECONDS.matcher(text).matches() ? new BigDecimal(text) : null;
    }

    private static Long number(String text) {
        return text != null && NUMBER.matcher(text).matches() ? Long.valueOf(text) : null;
    }
}
