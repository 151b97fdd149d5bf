package org.gelato.ce.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.job.LatencyHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** V38 and V39 with series of the version before: what was a column each is found under its name. */
class SeriesMigrationTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static Flyway flyway(String target) {
        return Flyway.configure()
                .dataSource(DB.database().dataSource())
                .locations("classpath:db/migration")
                .target(target)
                .cleanDisabled(false)
                .load();
    }

    @Test
    void whatWasRecordedStays() {
        flyway("latest").clean();
        flyway("37").migrate();
        DB.database()
                .inTransaction(h -> h.execute(
                        "INSERT INTO series_point (resolution, host, slot, begin_at, samples, seconds, jobs_idle,"
                                + " descriptors, done_ok, oldest_job, hand_over_05, hand_over_08)"
                                + " VALUES (0, 'a', ?, ?, 1, 60, 7, 240.5, 120, 3.25, 90, 10)",
                        Ring.HOUR.slot(NOON),
                        NOON));

        DB.database().migrate();

        SeriesStore store = new SeriesStore(DB.database());
        Series before = store.read(Ring.HOUR, NOON);
        assertThat(last(before, Measure.JOBS_IDLE)).isEqualTo(7);
        assertThat(last(before, Measure.DESCRIPTORS)).isEqualTo(240.5);
        assertThat(last(before, Measure.DONE_OK)).isEqualTo(2);
        assertThat(last(before, Measure.OLDEST_JOB)).isEqualTo(3.25);
        assertThat(last(before, Measure.JOBS_HELD)).isNaN();
        assertThat(before.values().get("hand_over_p50")[59]).isCloseTo(0.1 + 0.15 * 50 / 90, within(1e-9));
        assertThat(before.values().get("request_p50")[59]).isNaN();

        double[] counts = new double[LatencyHistogram.BUCKETS];
        counts[5] = 10;
        store.write(
                "a",
                NOON.plusSeconds(20),
                new Sample(
                        60,
                        Map.of(Measure.JOBS_IDLE, 9.0, Measure.JOBS_HELD, 4.0, Measure.DONE_OK, 0.0),
                        Map.of(Latency.HAND_OVER, counts)));
        Series after = store.read(Ring.HOUR, NOON);
        assertThat(last(after, Measure.JOBS_IDLE)).isEqualTo(8);
        assertThat(last(after, Measure.DESCRIPTORS)).isEqualTo(240.5);
        assertThat(last(after, Measure.JOBS_HELD)).isEqualTo(4);
        assertThat(last(after, Measure.DONE_OK)).isEqualTo(1);
        assertThat(after.values().get("hand_over_p50")[59]).isCloseTo(0.1 + 0.15 * 55 / 100, within(1e-9));
    }

    private static double last(Series series, Measure measure) {
        return series.values().get(measure.series())[59];
    }
}
