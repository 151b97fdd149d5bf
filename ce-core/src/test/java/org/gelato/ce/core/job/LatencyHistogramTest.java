package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    @Test
    void aTimeCountsInTheBucketWhoseUpperEndItDoesNotPass() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(Duration.ofMillis(-3));
        histogram.record(Duration.ofMillis(5));
        histogram.record(Duration.ofNanos(5_000_001));
        histogram.record(Duration.ofMinutes(30));
        histogram.record(Duration.ofDays(3));

        double[] counts = histogram.counts();

        assertThat(counts).hasSize(LatencyHistogram.BUCKETS);
        assertThat(counts[0]).isEqualTo(2);
        assertThat(counts[1]).isEqualTo(1);
        assertThat(counts[14]).isEqualTo(1);
        assertThat(counts[15]).isEqualTo(1);
    }

    @Test
    void percentilesAreSpreadEvenlyWithinABucket() {
        double[] counts = new double[LatencyHistogram.BUCKETS];
        counts[4] = 10; // 50 to 100 ms
        counts[9] = 10; // 2.5 to 5 s

        assertThat(LatencyHistogram.percentile(counts, 0.25)).isCloseTo(0.075, within(1e-9));
        assertThat(LatencyHistogram.percentile(counts, 0.5)).isCloseTo(0.1, within(1e-9));
        assertThat(LatencyHistogram.percentile(counts, 0.95)).isCloseTo(4.75, within(1e-9));
    }

    @Test
    void nothingHasNoPercentileAndTheLongestAreAtTheHighestBound() {
        double[] counts = new double[LatencyHistogram.BUCKETS];
        assertThat(LatencyHistogram.percentile(counts, 0.5)).isNaN();
        counts[15] = 1;
        assertThat(LatencyHistogram.percentile(counts, 0.5)).isEqualTo(1800);
    }
}
