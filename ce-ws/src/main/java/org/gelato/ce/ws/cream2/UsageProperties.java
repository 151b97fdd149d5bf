package org.gelato.ce.ws.cream2;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.core.job.Usage;

/** What a job used, as properties of its id in JobInfo (docs/developer/protocol/cream2-wire.md section 4). Pure. */
final class UsageProperties {
    private UsageProperties() {}

    /**
     * Names and values; empty for null. Times are seconds with up to three decimals. What is not known has no property.
     *
     * @param usage null for a job that has not ended or that was not measured
     */
    static Map<String, String> of(Usage usage) {
        Map<String, String> properties = new LinkedHashMap<>();
        if (usage != null) {
            put(properties, "USAGE_CPU_SECONDS", seconds(usage.cpu()));
            put(properties, "USAGE_WALL_SECONDS", seconds(usage.wall()));
            put(properties, "USAGE_CORES", usage.cores());
            put(properties, "USAGE_PEAK_MEMORY_KIB", usage.peakMemoryKib());
            put(properties, "USAGE_SOURCE", source(usage.source()));
        }
        return properties;
    }

    private static void put(Map<String, String> properties, String name, Object value) {
        if (value != null) {
            properties.put(name, value.toString());
        }
    }

    private static String seconds(Duration time) {
        return time == null ? null : BigDecimal.valueOf(time.toMillis(), 3).toPlainString();
    }

    private static String source(Usage.Source source) {
        return switch (source) {
            case WRAPPER -> "job wrapper";
            case BATCH_SYSTEM -> "batch system";
            case BOTH -> "batch system, job wrapper";
        };
    }
}
