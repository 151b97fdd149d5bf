package org.gelato.ce.core.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.LatencyHistogram;
import org.jdbi.v3.core.statement.Update;

/**
 * Series in the database, in round-robin rings as those of RRD: a slot is written again when its time comes round, so the table's size
 * depends on the number of hosts alone. A sample goes into its slot of each ring by one statement, which adds it to what earlier
 * samples of the slot's time left: a node that is killed loses the minute it was in. Thread-safe.
 */
public final class SeriesStore {
    private static final List<String> BUCKETS = Arrays.stream(Latency.values())
            .flatMap(latency -> latency.columns().stream())
            .toList();
    private static final List<String> COLUMNS = Stream.concat(
                    Arrays.stream(Measure.values()).map(Measure::column), BUCKETS.stream())
            .toList();

    static final String WRITE = write();
    static final String READ = "SELECT begin_at, samples, seconds, " + String.join(", ", COLUMNS)
            + " FROM series_point WHERE resolution = :resolution AND begin_at >= :since LIMIT 50000";
    static final String FORGET =
            "DELETE FROM series_point WHERE resolution IN (0, 1, 2, 3) AND host <> :host AND begin_at < :before";

    private final Database database;

    public SeriesStore(Database database) {
        this.database = database;
    }

    // VALUES(), as MariaDB knows no alias for the new row. Assignments are made in their order: the time of the slot,
    // by which the
    // others know whether the slot begins anew, and the number of samples come last.
    private static String write() {
        List<String> rows = new ArrayList<>();
        for (Ring ring : Ring.values()) {
            String name = ring.text();
            rows.add("(" + ring.code() + ", :host, :slot_" + name + ", :begin_" + name + ", 1, :seconds, :"
                    + String.join(", :", COLUMNS) + ")");
        }
        List<String> sets = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            sets.add(
                    measure.kind() == Measure.Kind.COUNT
                            ? added(measure.column())
                            : set(
                                    measure.column(),
                                    "(%1$s * samples + VALUES(%1$s)) / (samples + 1)".formatted(measure.column())));
        }
        BUCKETS.forEach(bucket -> sets.add(added(bucket)));
        sets.add("seconds = IF(begin_at = VALUES(begin_at), seconds, 0) + VALUES(seconds)");
        sets.add("samples = IF(begin_at = VALUES(begin_at), samples, 0) + 1");
        sets.add("begin_at = VALUES(begin_at)");
        return "INSERT INTO series_point (resolution, host, slot, begin_at, samples, seconds, "
                + String.join(", ", COLUMNS) + ") VALUES " + String.join(", ", rows) + " ON DUPLICATE KEY UPDATE "
                + String.join(", ", sets);
    }

    private static String added(String column) {
        return set(column, "%1$s + VALUES(%1$s)".formatted(column));
    }

    /** What is unknown on one side leaves the other. */
    private static String set(String column, String both) {
        return "%1$s = IF(begin_at = VALUES(begin_at), COALESCE(%2$s, VALUES(%1$s), %1$s), VALUES(%1$s))"
                .formatted(column, both);
    }

    /** Adds a sample to the slots of its moment: one statement. */
    public void write(String host, Instant at, Sample sample) {
        database.inTransaction(h -> {
            Update update = h.createUpdate(WRITE).bind("host", host).bind("seconds", sample.seconds());
            for (Ring ring : Ring.values()) {
                update.bind("slot_" + ring.text(), ring.slot(at)).bind("begin_" + ring.text(), ring.begin(at));
            }
            for (Measure measure : Measure.values()) {
                Double value = sample.values().get(measure);
                update.bind(measure.column(), value == null || !Double.isFinite(value) ? null : value);
            }
            for (Latency latency : Latency.values()) {
                double[] counts = sample.latencies().get(latency);
                List<String> columns = latency.columns();
                for (int i = 0; i < columns.size(); i++) {
                    update.bind(columns.get(i), counts == null ? null : (Double) counts[i]);
                }
            }
            return update.execute();
        });
    }

    /** Forgets what hosts that are gone left. Once at a start: it reads the whole table. */
    public void forget(String host, Instant before) {
        database.inTransaction(h ->
                h.createUpdate(FORGET).bind("host", host).bind("before", before).execute());
    }

    /** The series of a ring up to a moment: one statement. */
    public Series read(Ring ring, Instant now) {
        Instant last = ring.begin(now);
        long step = ring.step().toSeconds();
        Instant first = last.minusSeconds(step * (ring.slots() - 1));
        List<Merged> slots = new ArrayList<>(Collections.nCopies(ring.slots(), null));
        database.read(h -> {
            h.createQuery(READ)
                    .bind("resolution", ring.code())
                    .bind("since", first)
                    .map((row, context) -> {
                        Instant begin = SqlTime.get(row, "begin_at");
                        long slot = (begin.getEpochSecond() - first.getEpochSecond()) / step;
                        if (slot >= 0 && slot < slots.size()) {
                            Merged merged = slots.get((int) slot);
                            if (merged == null) {
                                merged = new Merged();
                                slots.set((int) slot, merged);
                            }
                            merged.add(row);
                        }
                        return begin;
                    })
                    .list();
            return null;
        });
        return series(slots, first.getEpochSecond(), step);
    }

    private static Series series(List<Merged> slots, long first, long step) {
        long[] times = new long[slots.size()];
        Map<Measure, double[]> values = new EnumMap<>(Measure.class);
        Map<Latency, double[]> p50 = new EnumMap<>(Latency.class);
        Map<Latency, double[]> p95 = new EnumMap<>(Latency.class);
        Arrays.stream(Measure.values()).forEach(m -> values.put(m, unknown(slots.size())));
        Arrays.stream(Latency.values()).forEach(l -> {
            p50.put(l, unknown(slots.size()));
            p95.put(l, unknown(slots.size()));
        });
        for (int i = 0; i < times.length; i++) {
            int at = i;
            times[i] = first + i * step;
            Merged merged = slots.get(i);
            if (merged != null) {
                values.forEach((measure, all) -> all[at] = merged.value(measure));
                p50.forEach((latency, all) -> all[at] = LatencyHistogram.percentile(merged.latency(latency), 0.5));
                p95.forEach((latency, all) -> all[at] = LatencyHistogram.percentile(merged.latency(latency), 0.95));
            }
        }
        return new Series(times, values, p50, p95);
    }

    private static double[] unknown(int size) {
        double[] values = new double[size];
        Arrays.fill(values, Double.NaN);
        return values;
    }

    /** The nodes' rows of one slot, put together. */
    private static final class Merged {
        private final Map<Measure, Double> sums = new EnumMap<>(Measure.class);
        private final Map<Measure, Integer> nodes = new EnumMap<>(Measure.class);
        private final Map<Latency, double[]> latencies = new EnumMap<>(Latency.class);

        void add(ResultSet row) throws SQLException {
            double seconds = row.getDouble("seconds");
            for (Measure measure : Measure.values()) {
                double value = row.getDouble(measure.column());
                boolean count = measure.kind() == Measure.Kind.COUNT;
                if (!row.wasNull() && !(count && seconds <= 0)) {
                    sums.merge(measure, count ? value / seconds : value, Double::sum);
                    nodes.merge(measure, 1, Integer::sum);
                }
            }
            for (Latency latency : Latency.values()) {
                double[] counts = latencies.computeIfAbsent(latency, l -> new double[LatencyHistogram.BUCKETS]);
                List<String> columns = latency.columns();
                for (int i = 0; i < counts.length; i++) {
                    counts[i] += row.getDouble(columns.get(i));
                }
            }
        }

        double value(Measure measure) {
            Double sum = sums.get(measure);
            if (sum == null) {
                return Double.NaN;
            }
            return measure.kind() == Measure.Kind.SHARED ? sum / nodes.get(measure) : sum;
        }

        double[] latency(Latency latency) {
            return latencies.get(latency);
        }
    }
}
