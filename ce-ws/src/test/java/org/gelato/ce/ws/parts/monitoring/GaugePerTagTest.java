package org.gelato.ce.ws.parts.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GaugePerTagTest {
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private GaugePerTag gauge(double absent) {
        return new GaugePerTag(meters, "ce.thing", "A thing", "seconds", "kind", Tags.of("site", "here"), absent);
    }

    @Test
    void aValueThatIsGoneIsTheAbsentOne() {
        GaugePerTag gauge = gauge(Double.NaN);
        gauge.set(Map.of("a", 1.5));
        gauge.set(Map.of("b", 2.0));
        assertThat(meters.scrape())
                .contains(
                        "ce_thing_seconds{kind=\"a\",site=\"here\"} NaN",
                        "ce_thing_seconds{kind=\"b\",site=\"here\"} 2.0");
        gauge.set(Map.of("a", 3.0));
        assertThat(meters.scrape()).contains("kind=\"a\",site=\"here\"} 3.0", "kind=\"b\",site=\"here\"} NaN");
    }

    @Test
    void noMoreThanItsBoundAreKept() {
        GaugePerTag gauge = gauge(0);
        Map<String, Double> many = new HashMap<>();
        for (int i = 0; i < GaugePerTag.MAX + 10; i++) {
            many.put("k" + i, 1.0);
        }
        gauge.set(many);
        assertThat(meters.getMeters()).hasSize(GaugePerTag.MAX);
    }

    /** A page that is written while one is removed and registered again shows both, and is refused: HTTP 500. */
    @Test
    void aGaugeIsRegisteredOnce() {
        GaugePerTag gauge = gauge(0);
        gauge.set(Map.of("a", 1.0));
        Meter first = meters.getMeters().get(0);
        gauge.set(Map.of());
        gauge.set(Map.of("a", 2.0));
        assertThat(meters.getMeters()).singleElement().isSameAs(first);
    }
}
