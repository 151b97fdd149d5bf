package org.gelato.ce.ws.parts;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.monitoring.Latency;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.ws.dashboard.NodeReadings;
import org.gelato.ce.ws.dashboard.Processes;
import org.gelato.ce.ws.parts.monitoring.StoredMeters;

/** What the dashboard's series are recorded from, in the parts of this CE. Used by the recorder's thread. */
final class DashboardReadings implements NodeReadings {
    private final DashboardParts.Sources sources;
    private final Clock clock;
    private final Processes processes;

    DashboardReadings(DashboardParts.Sources sources, Clock clock, Processes processes) {
        this.sources = sources;
        this.clock = clock;
        this.processes = processes;
    }

    @Override
    public Map<Measure, Double> values() {
        Map<Measure, Double> values = new EnumMap<>(Measure.class);
        StoredMeters.Stored stored = sources.monitoring().stored().latest();
        Processes.Reading reading = processes.read();
        for (Measure measure : Measure.values()) {
            // What is of all nodes is known while the database is.
            if (measure.meter() != null && (stored != null || measure.kind() != Measure.Kind.SHARED)) {
                values.put(measure, sources.meter(measure.meter()));
            }
        }
        if (stored != null) {
            // Also jobs by state, whose meters are bounded in number.
            levels(values, stored, clock.instant());
        }
        values.put(Measure.MEMORY_JVM, reading.jvm().residentBytes());
        values.put(Measure.MEMORY_DATABASE, reading.database().residentBytes());
        values.put(Measure.MEMORY_HELPER, reading.helper().residentBytes());
        values.put(Measure.CPU_JVM, reading.jvm().cpuSeconds());
        values.put(Measure.CPU_DATABASE, reading.database().cpuSeconds());
        values.put(Measure.CPU_HELPER, reading.helper().cpuSeconds());
        values.put(Measure.STARTS_SERVERS, sources.starts("helper") + sources.starts("database"));
        return values;
    }

    @Override
    public Map<Latency, double[]> latencies() {
        Map<Latency, double[]> latencies = new EnumMap<>(Latency.class);
        latencies.put(Latency.REQUEST, sources.monitoring().requests().times().counts());
        latencies.put(
                Latency.HAND_OVER,
                sources.stores().jobs().counts().handOverTimes().counts());
        return latencies;
    }

    private static void levels(Map<Measure, Double> values, StoredMeters.Stored stored, Instant now) {
        for (JobState state : JobState.values()) {
            if (!state.isFinal()) {
                values.put(Measure.valueOf("JOBS_" + state.name()), 0.0);
            }
        }
        stored.jobs()
                .forEach(
                        p -> values.merge(Measure.valueOf("JOBS_" + p.state().name()), (double) p.jobs(), Double::sum));
        for (Measure lane : List.of(
                Measure.WAITING_CONTROL, Measure.WAITING_HAND_OVER, Measure.WAITING_PURGE, Measure.WAITING_OTHER)) {
            values.put(lane, 0.0);
        }
        values.put(
                Measure.OLDEST_JOB,
                stored.oldest() == null ? 0.0 : seconds(stored.oldest().since(), now));
        values.put(Measure.OLDEST_WAITING, 0.0);
        for (CommandStore.LaneSize lane : stored.lanes()) {
            values.merge(measure(lane.lane()), (double) lane.commands(), Double::sum);
            if (lane.oldest() != null) {
                values.merge(Measure.OLDEST_WAITING, seconds(lane.oldest(), now), Double::max);
            }
        }
    }

    private static Measure measure(String lane) {
        return switch (lane) {
            case "control" -> Measure.WAITING_CONTROL;
            case "purge" -> Measure.WAITING_PURGE;
            case "other" -> Measure.WAITING_OTHER;
            default -> Measure.WAITING_HAND_OVER;
        };
    }

    static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis() / 1e3);
    }
}
