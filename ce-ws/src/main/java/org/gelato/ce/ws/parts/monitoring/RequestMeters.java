package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.ws.http.CallMeter;

/** Counts and times calls by service, operation and outcome, for {@code /metrics}. Any thread. */
public final class RequestMeters implements CallMeter {
    /** Few, as each is a series of each operation. */
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(20)
    };

    private final MeterRegistry meters;

    public RequestMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void called(String service, String operation, Outcome outcome, long nanos) {
        Timer.builder("ce.requests")
                .description("Time of calls, from the complete request to the response")
                .tags(
                        "service", service,
                        "operation", operation,
                        "outcome", outcome.name().toLowerCase(Locale.ROOT))
                .serviceLevelObjectives(BUCKETS)
                .register(meters)
                .record(nanos, TimeUnit.NANOSECONDS);
    }
}
