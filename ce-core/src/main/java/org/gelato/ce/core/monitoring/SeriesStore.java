package org.gelato.ce.core.monitoring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.LatencyHistogram;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;

/**
 * Series in the database, in round-robin rings as those of RRD: a slot is written again when its time comes round, so the table's size
 * depends on the number of hosts alone. A slot has its values under their names, so a further series changes no table. A sample is added
 * to what earlier ones of the slot's time left, in each ring, by two statements: a node that is killed loses the minute it was in.
 * Thread-safe; the slots of a host have one writer.
 */
public final class SeriesStore {
    static final String SLOTS =
            "SELECT begin_at, resolution, samples, seconds, numbers FROM series_point WHERE host = :host AND ("
                    + each("resolution = %1$d AND slot = :slot_%2$s", " OR ") + ")";
    // VALUES(), as MariaDB knows no alias for the new row.
    static final String WRITE =
            "INSERT INTO series_point (resolution, host, slot, begin_at, samples, seconds, numbers) VALUES "
                    + each("(%1$d, :host, :slot_%2$s, :begin_%2$s, :samples_%2$s, :seconds_%2$s, :numbers_%2$s)", ", ")
                    + " ON DUPLICATE KEY UPDATE begin_at = VALUES(begin_at), samples = VALUES(samples), seconds = VALUES(seconds),"
                    + " numbers = VALUES(numbers)";
    static final String READ = "SELECT begin_at, samples, seconds, numbers FROM series_point"
            + " WHERE resolution = :resolution AND begin_at >= :since LIMIT 50000";
    static final String FORGET =
            "DELETE FROM series_point WHERE resolution IN (0, 1, 2, 3) AND host <> :host AND begin_at < :before";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Database database;

    public SeriesStore(Database database) {
        this.database = database;
    }

    private static String each(String format, String between) {
        return Arrays.stream(Ring.values())
                .map(ring -> format.formatted(ring.code(), ring.text()))
                .collect(Collectors.joining(between));
    }

    /** Adds a sample to the slots of its moment: two statements. */
    public void write(String host, Instant at, Sample sample) {
        database.inTransaction(h -> {
            Map<Integer, Slot> before = new HashMap<>();
            try (Query query = h.createQuery(SLOTS).bind("host", host);
                    Update update = h.createUpdate(WRITE).bind("host", host)) {
                for (Ring ring : Ring.values()) {
                    query.bind("slot_" + ring.text(), ring.slot(at));
                }
                query.map((row, context) -> before.put(row.getInt("resolution"), Slot.of(row)))
                        .list();
                for (Ring ring : Ring.values()) {
                    Slot slot = before.get(ring.code());
                    if (slot == null || !slot.begin.equals(ring.begin(at))) {
                        slot = new Slot(ring.begin(at), 0, 0, JSON.createObjectNode());
                    }
                    slot = slot.plus(sample);
                    update.bind("slot_" + ring.text(), ring.slot(at))
                            .bind("begin_" + ring.text(), slot.begin)
                            .bind("samples_" + ring.text(), slot.samples)
                            .bind("seconds_" + ring.text(), slot.seconds)
                            .bind("numbers_" + ring.text(), slot.numbers.toString());
                }
                return update.execute();
            }
        });
    }

    /**
     * What a host measured in the time of a slot.
     *
     * @param seconds that the counts are of
     * @param numbers under the names of their series: means of levels, sums of counts, sums for each bucket
     */
    private record Slot(Instant begin, int samples, double seconds, ObjectNode numbers) {
        static Slot of(ResultSet row) throws SQLException {
            try {
                return new Slot(
                        SqlTime.get(row, "begin_at"),
                        row.getInt("samples"),
                        row.getDouble("seconds"),
                        JSON.readTree(row.getString("numbers")) instanceof ObjectNode numbers
                                ? numbers
                                : JSON.createObjectNode());
            } catch (JsonProcessingException e) {
                throw new SQLException("the column numbers of series_point has no JSON", e);
            }
        }

        /** What is unknown on one side leaves the other. */
        Slot plus(Sample sample) {
            ObjectNode all = numbers.deepCopy();
            sample.values().forEach((measure, value) -> {
                JsonNode old = all.path(measure.series());
                if (Double.isFinite(value)) {
                    all.put(
                            measure.series(),
                            !old.isNumber()
                                    ? value
                                    : measure.kind() == Measure.Kind.COUNT
                                            ? old.asDouble() + value
                                            : (old.asDouble() * samples + value) / (samples + 1));
                }
            });
            sample.latencies().forEach((latency, counts) -> {
                double[] sums = counts.clone();
                addTo(sums, latency);
                ArrayNode stored = all.putArray(latency.series());
                Arrays.stream(sums).forEach(stored::add);
            });
            return new Slot(begin, samples + 1, seconds + sample.seconds(), all);
        }

        /** A level, or a rate per second; not finite where unknown. */
        double value(Measure measure) {
            double value = numbers.path(measure.series()).asDouble(Double.NaN);
            return measure.kind() == Measure.Kind.COUNT ? value / seconds : value;
        }

        void addTo(double[] counts, Latency latency) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += numbers.path(latency.series()).path(i).asDouble();
            }
        }
    }

    /** Forgets what hosts that are gone left. Once at a start: it reads the whole table. */
    public void forget(String host, Instant before) {
        database.inTransaction(h ->
                h.createUpdate(FORGET).bind("host", host).bind("before", before).execute());
    }

    /** The series of a ring up to a moment: one statement. */
    public Series read(Ring ring, Instant now) {
        long step = ring.step().toSeconds();
        long first = ring.begin(now).getEpochSecond() - step * (ring.slots() - 1);
        Map<Long, List<Slot>> slots = database.read(h -> h.createQuery(READ)
                .bind("resolution", ring.code())
                .bind("since", Instant.ofEpochSecond(first))
                .map((row, context) -> Slot.of(row))
                .collect(Collectors.groupingBy(slot -> slot.begin.getEpochSecond())));
        long[] times =
                LongStream.range(0, ring.slots()).map(i -> first + i * step).toArray();
        Map<String, double[]> values = new HashMap<>();
        for (Measure measure : Measure.values()) {
            values.put(measure.series(), each(times, slots, nodes -> value(nodes, measure)));
        }
        for (Latency latency : Latency.values()) {
            values.put(latency.series() + "_p50", each(times, slots, nodes -> percentile(nodes, latency, 0.5)));
            values.put(latency.series() + "_p95", each(times, slots, nodes -> percentile(nodes, latency, 0.95)));
        }
        return new Series(times, values);
    }

    private static double[] each(long[] times, Map<Long, List<Slot>> slots, ToDoubleFunction<List<Slot>> value) {
        return Arrays.stream(times)
                .mapToDouble(time -> value.applyAsDouble(slots.getOrDefault(time, List.of())))
                .toArray();
    }

    /** Of the nodes that know it; NaN for none. */
    private static double value(List<Slot> nodes, Measure measure) {
        DoubleSummaryStatistics known = nodes.stream()
                .mapToDouble(slot -> slot.value(measure))
                .filter(Double::isFinite)
                .summaryStatistics();
        return known.getCount() == 0
                ? Double.NaN
                : measure.kind() == Measure.Kind.SHARED ? known.getAverage() : known.getSum();
    }

    private static double percentile(List<Slot> nodes, Latency latency, double share) {
        double[] counts = new double[LatencyHistogram.BUCKETS];
        nodes.forEach(slot -> slot.addTo(counts, latency));
        return LatencyHistogram.percentile(counts, share);
    }
}
