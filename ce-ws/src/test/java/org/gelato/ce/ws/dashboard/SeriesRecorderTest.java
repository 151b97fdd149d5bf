package org.gelato.ce.ws.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.Map;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.job.LatencyHistogram;
import org.gelato.ce.core.monitoring.Latency;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.core.monitoring.Ring;
import org.gelato.ce.core.monitoring.Series;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SeriesRecorderTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final SeriesStore store = new SeriesStore(DB.database());
    private final Map<Measure, Double> values = new EnumMap<>(Measure.class);
    private final double[] requests = new double[LatencyHistogram.BUCKETS];
    private Instant now = Instant.parse("2026-03-01T12:00:30Z");
    private long nanos = 5_000_000_000L;

    private final class Readings implements NodeReadings {
        @Override
        public Map<Measure, Double> values() {
            return new EnumMap<>(values);
        }

        @Override
        public Map<Latency, double[]> latencies() {
            return Map.of(Latency.REQUEST, requests.clone());
        }
    }

    private final SeriesRecorder recorder = new SeriesRecorder(
            store, "h", new Readings(), ((InstantSource) () -> now).withZone(ZoneOffset.UTC), () -> nanos);

    @BeforeEach
    void empty() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM series_point"));
    }

    private void later(int seconds) {
        now = now.plusSeconds(seconds);
        nanos += Duration.ofSeconds(seconds).toNanos();
    }

    private double last(Measure measure) {
        Series series = store.read(Ring.HOUR, now);
        return series.values().get(measure.series())[59];
    }

    @Test
    void countsAreWrittenAsWhatCameSinceTheLastSample() {
        later(60);
        values.put(Measure.REGISTERED, 600.0);
        values.put(Measure.JOBS_IDLE, 5.0);
        requests[3] = 8;
        recorder.record();
        assertThat(last(Measure.REGISTERED)).isEqualTo(10);
        later(60);
        values.put(Measure.REGISTERED, 630.0);
        values.put(Measure.CPU_JVM, Double.NaN);
        requests[5] = 2;
        recorder.record();
        assertThat(last(Measure.REGISTERED)).isEqualTo(0.5);
        assertThat(last(Measure.JOBS_IDLE)).isEqualTo(5);
        assertThat(last(Measure.CPU_JVM)).isNaN();
        assertThat(store.read(Ring.HOUR, now).values().get("request_p50")[59]).isCloseTo(0.175, within(1e-9));
    }

    @Test
    void whatWasCountedWhileTheDatabaseWasAwayIsNotLostAndMakesNoPeak() {
        values.put(Measure.REGISTERED, 0.0);
        recorder.record();
        DB.database().inTransaction(h -> h.execute("RENAME TABLE series_point TO series_gone"));
        later(60);
        values.put(Measure.REGISTERED, 120.0);
        recorder.record();
        DB.database().inTransaction(h -> h.execute("RENAME TABLE series_gone TO series_point"));
        later(60);
        values.put(Measure.REGISTERED, 240.0);
        recorder.record();
        assertThat(last(Measure.REGISTERED)).isEqualTo(2);
    }
}
