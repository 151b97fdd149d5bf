package org.gelato.ce.ws.dashboard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.monitoring.Latency;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.core.monitoring.Sample;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what this node measures into the series: soon after the start, and in the middle of each minute, so that each slot of a minute
 * gets its own. While the database does not respond nothing is written, and what was counted meanwhile goes into the next sample with
 * the time it took, so rates stay true. Used by one thread at a time.
 */
public final class SeriesRecorder {
    /** Of readings of this host the oldest that can matter. */
    private static final Duration KEPT = Duration.ofDays(32);

    private static final long FIRST_MILLIS = 3_000;
    private static final Logger log = LoggerFactory.getLogger(SeriesRecorder.class);

    private final SeriesStore store;
    private final String host;
    private final NodeReadings readings;
    private final Clock clock;
    private final LongSupplier nanos;
    private final Map<Measure, Double> counted = new EnumMap<>(Measure.class);
    private final Map<Latency, double[]> timed = new EnumMap<>(Latency.class);
    private long since;
    private boolean tidy;

    /**
     * @param host whose ring it is
     * @param nanos a clock that never goes back, in nanoseconds
     */
    public SeriesRecorder(SeriesStore store, String host, NodeReadings readings, Clock clock, LongSupplier nanos) {
        this.store = store;
        this.host = host;
        this.readings = readings;
        this.clock = clock;
        this.nanos = nanos;
        this.since = nanos.getAsLong();
    }

    /** Begins to record. */
    public void start(ScheduledExecutorService scheduler) {
        scheduler.schedule(() -> again(scheduler), FIRST_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void again(ScheduledExecutorService scheduler) {
        record();
        long second = Math.floorMod(clock.instant().getEpochSecond(), 60L);
        try {
            scheduler.schedule(() -> again(scheduler), second < 30 ? 30 - second : 90 - second, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("no more series: the CE ends");
        }
    }

    /** Writes one sample; never throws. */
    void record() {
        try {
            Instant at = clock.instant();
            if (!tidy) {
                store.forget(host, at.minus(KEPT));
                tidy = true;
            }
            long now = nanos.getAsLong();
            Map<Measure, Double> values = readings.values();
            Map<Latency, double[]> latencies = readings.latencies();
            store.write(host, at, new Sample((now - since) / 1e9, since(values), differences(latencies)));
            since = now;
            values.forEach((measure, value) -> {
                if (measure.kind() == Measure.Kind.COUNT && Double.isFinite(value)) {
                    counted.put(measure, value);
                }
            });
            timed.putAll(latencies);
        } catch (RuntimeException | Error e) {
            log.warn("the series of the dashboard were not written, trying again in a minute: {}", Messages.of(e));
        }
    }

    private Map<Measure, Double> since(Map<Measure, Double> values) {
        Map<Measure, Double> sample = new EnumMap<>(Measure.class);
        values.forEach((measure, value) -> sample.put(
                measure, measure.kind() == Measure.Kind.COUNT ? value - counted.getOrDefault(measure, 0.0) : value));
        return sample;
    }

    private Map<Latency, double[]> differences(Map<Latency, double[]> latencies) {
        Map<Latency, double[]> sample = new EnumMap<>(Latency.class);
        latencies.forEach((latency, counts) -> {
            double[] before = timed.getOrDefault(latency, new double[counts.length]);
            double[] difference = new double[counts.length];
            for (int i = 0; i < counts.length; i++) {
                difference[i] = counts[i] - before[i];
            }
            sample.put(latency, difference);
        });
        return sample;
    }
}
