package org.gelato.ce.perf.measure;

import java.util.Arrays;
import java.util.List;

/** Rates and ratios of one run. Pure. */
public final class Rates {
    private static final double NANOS = 1e9;

    private Rates() {}

    /**
     * Events per second among the first ones.
     *
     * @param sorted times of events, in nanoseconds since the begin
     * @param share of the events, more than 0 and at most 1; at least one event is taken
     * @return 0 when there were none
     */
    public static double first(long[] sorted, double share) {
        int taken = taken(sorted, share);
        return taken == 0 ? 0 : perSecond(taken, sorted[taken - 1]);
    }

    /** Events per second among the last ones: from the event before them to the last of them. */
    public static double last(long[] sorted, double share) {
        int taken = taken(sorted, share);
        if (taken == 0) {
            return 0;
        }
        long before = taken == sorted.length ? 0 : sorted[sorted.length - taken - 1];
        return perSecond(taken, sorted[sorted.length - 1] - before);
    }

    /** Events per second; 0 when there were none. */
    public static double perSecond(long events, long nanos) {
        // Two events within one tick of the clock are no infinite rate.
        return events == 0 ? 0 : events * NANOS / Math.max(1, nanos);
    }

    /** How often the second goes into the first; 0 when both are 0, and never infinite. */
    public static double ratio(double of, double to) {
        if (to == 0) {
            return of == 0 ? 0 : Double.MAX_VALUE;
        }
        return of / to;
    }

    /** The middle of these, the mean of the two middle ones where their number is even; 0 of none. */
    public static double median(List<? extends Number> values) {
        double[] sorted =
                values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return 0;
        }
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** Only the times up to a limit, sorted. */
    public static long[] upTo(long[] times, long limit) {
        return Arrays.stream(times).filter(t -> t <= limit).sorted().toArray();
    }

    private static int taken(long[] sorted, double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("a share is more than 0 and at most 1, not " + share);
        }
        return sorted.length == 0 ? 0 : Math.max(1, (int) (sorted.length * share));
    }
}
