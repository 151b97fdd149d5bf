package org.gelato.ce.core.monitoring;

import java.util.Locale;

/** What times are kept of, as histograms of the buckets of {@link org.gelato.ce.core.job.LatencyHistogram}. */
public enum Latency {
    /** Calls of clients, from the complete request to the result. */
    REQUEST(Measure.Chart.REQUESTS),
    /** Jobs, from their start to when the batch system has them. */
    HAND_OVER(Measure.Chart.HAND_OVER);

    private final Measure.Chart chart;

    Latency(Measure.Chart chart) {
        this.chart = chart;
    }

    /** Where median and 95th percentile are drawn. */
    public Measure.Chart chart() {
        return chart;
    }

    /** The name of its series, in the database and for the page. */
    public String series() {
        return name().toLowerCase(Locale.ROOT);
    }
}
