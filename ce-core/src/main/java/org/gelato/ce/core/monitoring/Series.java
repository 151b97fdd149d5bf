package org.gelato.ce.core.monitoring;

import java.util.Map;

/**
 * The series of a ring, of all nodes together, on an even axis of time.
 *
 * @param times when each slot began, in seconds of the epoch, ascending
 * @param values by name, one for each time, NaN where unknown: levels, rates per second, and of a {@link Latency} median and 95th
 *     percentile in seconds as {@code NAME_p50} and {@code NAME_p95}
 */
public record Series(long[] times, Map<String, double[]> values) {}
