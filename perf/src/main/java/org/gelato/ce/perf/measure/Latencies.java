package org.gelato.ce.perf.measure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.SynchronizedHistogram;

/** How long calls of one kind took, three digits exact, from a microsecond to an hour. Thread-safe. */
public final class Latencies {
    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);
    private static final int DIGITS = 3;
    private static final double MICROS_PER_MILLI = 1000;

    private final SynchronizedHistogram histogram = new SynchronizedHistogram(LONGEST_MICROS, DIGITS);

    /** Adds one call. Longer ones than an hour count as an hour. */
    public void add(long nanos) {
        histogram.recordValue(Math.min(LONGEST_MICROS, Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos))));
    }

    /** Makes a call and adds its time, however it ends. */
    public <T> T time(Supplier<T> call) {
        long begin = System.nanoTime();
        try {
            return call.get();
        } finally {
            add(System.nanoTime() - begin);
        }
    }

    /** The same for a call without a response. */
    public void timed(Runnable call) {
        time(() -> {
            call.run();
            return null;
        });
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** Milliseconds that so many percent of the calls did not exceed; 0 when there were none. */
    public double millis(double percent) {
        return count() == 0 ? 0 : histogram.getValueAtPercentile(percent) / MICROS_PER_MILLI;
    }

    /** Adds number, percentiles in milliseconds, and the longest. */
    public void fill(ObjectNode to) {
        to.put("count", count());
        to.put("p50", millis(50));
        to.put("p90", millis(90));
        to.put("p95", millis(95));
        to.put("p99", millis(99));
        to.put("max", millis(100));
    }
}
