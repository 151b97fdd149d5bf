package org.gelato.ce.core.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Counts how long things took, by buckets that never change, so that counts of different nodes and times can be added and a
 * percentile taken of the sum. Thread-safe.
 */
public final class LatencyHistogram {
    /** Upper ends of the buckets in seconds, ascending; the last bucket, one more, has none. Stored: never change them. */
    public static final List<Double> BOUNDS =
            List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0);

    /** Number of buckets, the last without a bound. */
    public static final int BUCKETS = BOUNDS.size() + 1;

    private final List<LongAdder> counts =
            IntStream.range(0, BUCKETS).mapToObj(i -> new LongAdder()).toList();

    /** Counts one; a negative time, as clocks of nodes differ, counts as none. */
    public void record(Duration time) {
        double seconds = time.toNanos() / 1e9;
        int bucket = 0;
        while (bucket < BOUNDS.size() && seconds > BOUNDS.get(bucket)) {
            bucket++;
        }
        counts.get(bucket).increment();
    }

    /** The counts since the beginning, one for each bucket. */
    public double[] counts() {
        return counts.stream().mapToDouble(LongAdder::sum).toArray();
    }

    /**
     * A percentile, taken as evenly spread within its bucket.
     *
     * @param counts one for each bucket
     * @param share between 0 and 1
     * @return in seconds; NaN when nothing was counted, the highest bound when it is above that
     */
    public static double percentile(double[] counts, double share) {
        double all = 0;
        for (double count : counts) {
            all += count;
        }
        if (all <= 0) {
            return Double.NaN;
        }
        double wanted = share * all;
        double before = 0;
        for (int i = 0; i < BOUNDS.size(); i++) {
            if (counts[i] > 0 && before + counts[i] >= wanted) {
                double from = i == 0 ? 0 : BOUNDS.get(i - 1);
                return from + (BOUNDS.get(i) - from) * (wanted - before) / counts[i];
            }
            before += counts[i];
        }
        return BOUNDS.get(BOUNDS.size() - 1);
    }
}
