package org.gelato.ce.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private final Latencies latencies = new Latencies();

    @Test
    void percentilesAreMilliseconds() {
        for (int i = 1; i <= 1000; i++) {
            latencies.add(TimeUnit.MILLISECONDS.toNanos(i));
        }
        assertThat(latencies.millis(50)).isCloseTo(500, Percentage.withPercentage(0.2));
        assertThat(latencies.millis(95)).isCloseTo(950, Percentage.withPercentage(0.2));
        assertThat(latencies.millis(100)).isCloseTo(1000, Percentage.withPercentage(0.2));
    }

    @Test
    void nothingHasNoLatency() {
        assertThat(latencies.count()).isZero();
        assertThat(latencies.millis(95)).isZero();
    }

    @Test
    void whatTakesLongerThanItCanHoldCountsAsAnHour() {
        latencies.add(TimeUnit.HOURS.toNanos(3));
        assertThat(latencies.millis(100)).isCloseTo(3_600_000, Percentage.withPercentage(0.2));
    }

    @Test
    void aCallThatFailsCounts() {
        assertThatThrownBy(() -> latencies.timed(() -> {
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        assertThat(latencies.count()).isEqualTo(1);
    }

    @Test
    void jsonHasNumberAndPercentiles() {
        latencies.add(TimeUnit.MILLISECONDS.toNanos(2));
        ObjectNode json = new ObjectMapper().createObjectNode();
        latencies.fill(json);
        assertThat(json.path("count").asLong()).isEqualTo(1);
        assertThat(json.path("p95").asDouble()).isCloseTo(2, within(0.01));
        assertThat(json.fieldNames()).toIterable().containsExactly("count", "p50", "p90", "p95", "p99", "max");
    }
}
