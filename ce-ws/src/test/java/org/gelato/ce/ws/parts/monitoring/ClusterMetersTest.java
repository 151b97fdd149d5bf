package org.gelato.ce.ws.parts.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.gelato.ce.core.follow.ClusterMonitor;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterMetersTest {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @AfterEach
    void shutDown() {
        scheduler.shutdownNow();
    }

    /** A monitor that has read this status; each start reads again. */
    private ClusterMonitor monitor(CompletableFuture<ClusterStatus> status) {
        Lrms lrms = (Lrms) Proxy.newProxyInstance(
                Lrms.class.getClassLoader(),
                new Class<?>[] {Lrms.class},
                (self, method, args) -> switch (method.getName()) {
                    case "status" -> status;
                    case "statusCommands" -> 1;
                    default -> throw new IllegalStateException(method.getName());
                });
        return new ClusterMonitor(lrms, Clock.systemUTC(), scheduler);
    }

    private static ClusterStatus status(String version) {
        return new ClusterStatus(
                version,
                OptionalInt.of(10),
                OptionalInt.of(4),
                List.of(new ClusterStatus.Queue(
                        "long", true, false, OptionalInt.of(8), OptionalInt.empty(), null, OptionalInt.empty())));
    }

    private double value(String name, String... tags) {
        return meters.get(name).tags(tags).gauge().value();
    }

    @Test
    void whatIsNotReportedIsNoNumber() {
        ClusterMonitor monitor = monitor(CompletableFuture.completedFuture(status("1.2")));
        ClusterMeters.register(meters, "slurm", List.of("long", "gone"), monitor);
        assertThat(value("ce.lrms.slots")).isNaN();
        monitor.start();
        await().until(() -> monitor.status().isPresent());
        assertThat(value("ce.lrms.slots")).isEqualTo(10);
        assertThat(value("ce.lrms.slots.free")).isEqualTo(4);
        assertThat(value("ce.lrms.queue.slots", "queue", "long")).isEqualTo(8);
        assertThat(value("ce.lrms.queue.slots.free", "queue", "long")).isNaN();
        assertThat(value("ce.lrms.queue.accepts", "queue", "long")).isEqualTo(1);
        assertThat(value("ce.lrms.queue.starts", "queue", "long")).isZero();
        assertThat(value("ce.lrms.queue.accepts", "queue", "gone")).isNaN();
    }

    @Test
    void theApiInUseIsATag() {
        ClusterMonitor monitor =
                monitor(CompletableFuture.completedFuture(status("1.2").withApi("daemon v7")));
        Runnable tags = ClusterMeters.register(meters, "slurm", List.of("long"), monitor);
        tags.run();
        assertThat(meters.find("ce.lrms.api").gauges()).isEmpty();
        monitor.start();
        await().until(() -> monitor.status().isPresent());
        tags.run();
        assertThat(value("ce.lrms.api", "lrms", "slurm", "api", "daemon v7")).isEqualTo(1);
    }

    @Test
    void aVersionKeepsItsGaugeAndOnlyTheLastOneIsOne() {
        ClusterMonitor monitor = monitor(CompletableFuture.completedFuture(status("1.2")));
        Runnable version = ClusterMeters.register(meters, "slurm", List.of("long"), monitor);
        version.run();
        Gauge unknown = meters.get("ce.lrms.version").tag("version", "unknown").gauge();
        assertThat(unknown.value()).isEqualTo(1);
        monitor.start();
        await().until(() -> monitor.status().isPresent());
        version.run();
        Gauge known = meters.get("ce.lrms.version").tag("version", "1.2").gauge();
        version.run();
        assertThat(meters.get("ce.lrms.version").gauges()).hasSize(2);
        assertThat(meters.get("ce.lrms.version").tag("version", "1.2").gauge()).isSameAs(known);
        assertThat(unknown.value()).isZero();
        assertThat(known.value()).isEqualTo(1);
    }
}
