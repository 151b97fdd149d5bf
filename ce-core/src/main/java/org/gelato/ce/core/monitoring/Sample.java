package org.gelato.ce.core.monitoring;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a node measured: levels at this moment, and counts since its last sample that was stored.
 *
 * @param seconds that the counts are of
 * @param values levels and counts; missing or NaN for unknown
 * @param latencies counts for each bucket; missing for unknown
 */
public record Sample(double seconds, Map<Measure, Double> values, Map<Latency, double[]> latencies) {
    public Sample {
        values = values.isEmpty() ? Map.of() : new EnumMap<>(values);
        latencies = latencies.isEmpty() ? Map.of() : new EnumMap<>(latencies);
    }
}
