package org.gelato.ce.core.monitoring;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.gelato.ce.core.job.LatencyHistogram;

/** What times are kept of, as histograms; each bucket is a column of the table {@code series_point}. */
public enum Latency {
    /** Calls of clients, from the complete request to the result. */
    REQUEST,
    /** Jobs, from their start to when the batch system has them. */
    HAND_OVER;

    /** The columns of the buckets, in the order of {@link LatencyHistogram#BOUNDS}. */
    List<String> columns() {
        return IntStream.range(0, LatencyHistogram.BUCKETS)
                .mapToObj(i -> String.format(Locale.ROOT, "%s_%02d", name().toLowerCase(Locale.ROOT), i))
                .toList();
    }
}
