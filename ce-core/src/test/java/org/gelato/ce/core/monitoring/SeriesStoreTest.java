package org.gelato.ce.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.job.LatencyHistogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeriesStoreTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final SeriesStore store = new SeriesStore(DB.database());

    @BeforeEach
    void empty() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM series_point"));
    }

    private static Sample sample(double seconds, double idle, double done) {
        return new Sample(
                seconds, Map.of(Measure.JOBS_IDLE, idle, Measure.DONE_OK, done, Measure.DESCRIPTORS, 100.0), Map.of());
    }

    private static double last(Series series, Measure measure) {
        double[] values = series.values().get(measure.series());
        return values[values.length - 1];
    }

    private long rows(String where) {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM series_point " + where)
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void aSampleIsTwoStatementsAndGoesIntoEachRing() {
        long before = DB.database().statements();
        store.write("a", NOON, sample(60, 7, 120));
        assertThat(DB.database().statements() - before).isEqualTo(2);
        for (Ring ring : Ring.values()) {
            before = DB.database().statements();
            Series series = store.read(ring, NOON);
            assertThat(DB.database().statements() - before).isEqualTo(1);
            assertThat(series.times()).hasSize(ring.slots());
            assertThat(series.times()[1] - series.times()[0])
                    .isEqualTo(ring.step().toSeconds());
            assertThat(last(series, Measure.JOBS_IDLE)).isEqualTo(7);
            assertThat(last(series, Measure.DONE_OK)).isEqualTo(2);
            assertThat(last(series, Measure.JOBS_HELD)).isNaN();
            assertThat(series.values().get(Measure.JOBS_IDLE.series())[0]).isNaN();
        }
    }

    @Test
    void samplesOfOneSlotMakeMeansOfLevelsAndSumsOfCounts() {
        store.write("a", NOON, sample(60, 4, 60));
        store.write("a", NOON.plusSeconds(60), sample(60, 8, 180));
        store.write("a", NOON.plusSeconds(120), sample(120, Double.NaN, 0));
        Series hour = store.read(Ring.HOUR, NOON.plusSeconds(120));
        assertThat(hour.values().get(Measure.JOBS_IDLE.series())).endsWith(4, 8, Double.NaN);
        assertThat(hour.values().get(Measure.DONE_OK.series())).endsWith(1, 3, 0);
        Series day = store.read(Ring.DAY, NOON.plusSeconds(120));
        assertThat(last(day, Measure.JOBS_IDLE)).isEqualTo(6);
        assertThat(last(day, Measure.DONE_OK)).isEqualTo(1);
    }

    @Test
    void nodesAreAddedExceptWhatEachSeesOfAll() {
        store.write("a", NOON, sample(60, 4, 60));
        store.write("b", NOON, sample(30, 6, 60));
        Series hour = store.read(Ring.HOUR, NOON);
        assertThat(last(hour, Measure.JOBS_IDLE)).isEqualTo(5);
        assertThat(last(hour, Measure.DONE_OK)).isEqualTo(3);
        assertThat(last(hour, Measure.DESCRIPTORS)).isEqualTo(200);
    }

    @Test
    void percentilesAreOfAllNodesAndSamplesTogether() {
        double[] quick = new double[LatencyHistogram.BUCKETS];
        quick[0] = 30;
        double[] slow = new double[LatencyHistogram.BUCKETS];
        slow[9] = 10;
        for (int i = 0; i < 3; i++) {
            store.write("a", NOON.plusSeconds(60L * i), new Sample(60, Map.of(), Map.of(Latency.REQUEST, quick)));
        }
        store.write("b", NOON, new Sample(60, Map.of(), Map.of(Latency.REQUEST, slow)));
        Series day = store.read(Ring.DAY, NOON.plusSeconds(130));
        assertThat(day.values().get("request_p50")[287]).isCloseTo(0.005 * 50 / 90, within(1e-9));
        assertThat(day.values().get("request_p95")[287]).isCloseTo(3.75, within(1e-9));
        assertThat(day.values().get("hand_over_p95")[287]).isNaN();
    }

    @ParameterizedTest
    @EnumSource(Ring.class)
    void aRingKeepsItsSizeAndWhatIsOlderIsGone(Ring ring) {
        Duration round = ring.step().multipliedBy(ring.slots());
        store.write("a", NOON, sample(60, 3, 60));
        store.write("a", NOON.plus(round), sample(60, 9, 0));
        assertThat(last(store.read(ring, NOON.plus(round)), Measure.JOBS_IDLE)).isEqualTo(9);
        assertThat(last(store.read(ring, NOON.plus(round)), Measure.DONE_OK)).isZero();
        // Long ago, and not written again since.
        for (double value :
                store.read(ring, NOON.plus(round.multipliedBy(3))).values().get(Measure.JOBS_IDLE.series())) {
            assertThat(value).isNaN();
        }
    }

    @Test
    void theTableGrowsWithHostsAlone() {
        int slots = 0;
        for (Ring ring : Ring.values()) {
            slots += ring.slots();
        }
        // Every slot of every ring, and twice round the shortest.
        for (int minute = 0; minute < 130; minute++) {
            store.write("a", NOON.plusSeconds(60L * minute), sample(60, 1, 1));
        }
        for (int step = 0; step < 200; step++) {
            store.write("a", NOON.plus(Ring.MONTH.step().multipliedBy(step)), sample(60, 1, 1));
        }
        assertThat(rows("")).isLessThanOrEqualTo(slots);
        assertThat(rows("WHERE resolution = 0")).isEqualTo(60);
    }

    @Test
    void hostsThatAreGoneAreForgotten() {
        store.write("old", NOON, sample(60, 1, 1));
        store.write("a", NOON, sample(60, 1, 1));
        store.forget("a", NOON.plusSeconds(1));
        assertThat(rows("")).isEqualTo(Ring.values().length);
    }

    @Test
    void readsByKey() {
        for (int host = 0; host < 20; host++) {
            for (int step = 0; step < 30; step++) {
                store.write("h" + host, NOON.plus(Ring.MONTH.step().multipliedBy(step)), sample(60, 1, 1));
            }
        }
        DB.database().inTransaction(h -> h.execute("ANALYZE TABLE series_point"));
        Plans.readsBy(
                DB.database(),
                SeriesStore.READ.replace(":resolution", "1").replace(":since", "'2026-03-01'"),
                Set.of("PRIMARY"));
        Plans.readsBy(
                DB.database(),
                SeriesStore.SLOTS.replace(":host", "'h7'").replaceAll(":slot_\\w+", "7"),
                Set.of("PRIMARY"));
    }
}
