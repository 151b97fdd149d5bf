package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.gelato.ce.core.follow.ClusterMonitor;
import org.gelato.ce.core.lrms.ClusterStatus;

/** The batch system's slots, queues, version and API as metrics; NaN for what it does not report or reported too long ago. */
public final class ClusterMeters {
    private final MeterRegistry meters;
    private final String lrms;
    private final ClusterMonitor monitor;
    private final GaugePerTag version;
    private final GaugePerTag api;

    private ClusterMeters(MeterRegistry meters, String lrms, ClusterMonitor monitor) {
        this.meters = meters;
        this.lrms = lrms;
        this.monitor = monitor;
        this.version = new GaugePerTag(
                meters,
                "ce.lrms.version",
                "1 for the version the batch system reports, 0 for those it reported before",
                null,
                "version",
                Tags.of("lrms", lrms),
                0);
        this.api = new GaugePerTag(
                meters,
                "ce.lrms.api",
                "1 for that by which jobs are handed over, 0 for what was used before",
                null,
                "api",
                Tags.of("lrms", lrms),
                0);
    }

    /**
     * Registers them.
     *
     * @param queues the configured ones, so their number is bounded
     * @return to be run now and then: a version or API is a tag, which no gauge can change by itself
     */
    public static Runnable register(MeterRegistry meters, String lrms, List<String> queues, ClusterMonitor monitor) {
        ClusterMeters cluster = new ClusterMeters(meters, lrms, monitor);
        cluster.whole("ce.lrms.slots", "Slots of the batch system", status -> number(status.slots()));
        cluster.whole("ce.lrms.slots.free", "Free slots of the batch system", status -> number(status.freeSlots()));
        for (String queue : queues) {
            cluster.queue(queue, "ce.lrms.queue.slots", "Slots a queue may use", q -> number(q.slots()));
            cluster.queue(queue, "ce.lrms.queue.slots.free", "Free slots a queue may use", q -> number(q.freeSlots()));
            cluster.queue(
                    queue,
                    "ce.lrms.queue.accepts",
                    "Whether the batch system queues new jobs",
                    q -> q.accepts() ? 1 : 0);
            cluster.queue(
                    queue,
                    "ce.lrms.queue.starts",
                    "Whether the batch system starts queued jobs",
                    q -> q.starts() ? 1 : 0);
        }
        return cluster::tags;
    }

    private void tags() {
        Optional<ClusterStatus> now = monitor.status();
        version.set(Map.of(now.map(ClusterStatus::version).orElse("unknown"), 1.0));
        now.map(ClusterStatus::api).ifPresent(inUse -> api.set(Map.of(inUse, 1.0)));
    }

    private void whole(String name, String description, ToDoubleFunction<ClusterStatus> value) {
        Gauge.builder(name, monitor, m -> m.status().map(value::applyAsDouble).orElse(Double.NaN))
                .description(description)
                .tag("lrms", lrms)
                .register(meters);
    }

    private void queue(String queue, String name, String description, Function<ClusterStatus.Queue, Number> value) {
        Gauge.builder(
                        name,
                        monitor,
                        m -> m.status()
                                .flatMap(status -> status.queue(queue))
                                .map(q -> value.apply(q).doubleValue())
                                .orElse(Double.NaN))
                .description(description)
                .tag("lrms", lrms)
                .tag("queue", queue)
                .register(meters);
    }

    private static double number(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : Double.NaN;
    }
}
