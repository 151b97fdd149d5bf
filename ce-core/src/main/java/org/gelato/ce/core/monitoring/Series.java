package org.gelato.ce.core.monitoring;

import java.util.Map;

/**
 * The series of a ring, of all nodes together, on an even axis of time.
 *
 * @param times when each slot began, in seconds of the epoch, ascending
 * @param values one for each time, NaN where unknown: levels, and rates per second
 * @param p50 the median of each time in seconds, NaN where nothing was counted
 * @param p95 as {@code p50}
 */
public record Series(
        long[] times, Map<Measure, double[]> values, Map<Latency, double[]> p50, Map<Latency, double[]> p95) {}
