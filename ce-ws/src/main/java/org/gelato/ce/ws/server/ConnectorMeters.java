package org.gelato.ce.ws.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.ToDoubleFunction;
import org.apache.coyote.AbstractProtocol;

/** Threads and connections of a connector, read on request. */
final class ConnectorMeters {
    private ConnectorMeters() {}

    static void bind(AbstractProtocol<?> protocol, MeterRegistry registry) {
        gauge(registry, "tomcat.threads.busy", "Threads that work on a request", protocol, ConnectorMeters::busy);
        gauge(registry, "tomcat.threads.current", "Threads", protocol, ConnectorMeters::threads);
        gauge(registry, "tomcat.threads.max", "Most threads", protocol, AbstractProtocol::getMaxThreads);
        gauge(
                registry,
                "tomcat.connections.current",
                "Open connections",
                protocol,
                AbstractProtocol::getConnectionCount);
        gauge(registry, "tomcat.connections.max", "Most connections", protocol, AbstractProtocol::getMaxConnections);
        if (protocol instanceof FaultKeepingProtocol guarded) {
            counter(
                    registry,
                    "ce.connections.evicted",
                    "Connections without certificate closed or refused because their address had too many",
                    guarded.guard(),
                    GuardedEndpoint::evicted);
            counter(
                    registry,
                    "ce.connections.overdue",
                    "Connections closed because a TLS handshake or a request's head took too long",
                    guarded.guard(),
                    GuardedEndpoint::overdue);
        }
    }

    private static void counter(
            MeterRegistry registry,
            String name,
            String description,
            GuardedEndpoint guard,
            ToDoubleFunction<GuardedEndpoint> value) {
        FunctionCounter.builder(name, guard, value).description(description).register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            String description,
            AbstractProtocol<?> protocol,
            ToDoubleFunction<AbstractProtocol<?>> value) {
        Gauge.builder(name, protocol, value).description(description).register(registry);
    }

    private static double busy(AbstractProtocol<?> protocol) {
        return protocol.getExecutor() instanceof ThreadPoolExecutor pool
                ? pool.getActiveCount()
                : protocol.getExecutor() instanceof org.apache.tomcat.util.threads.ThreadPoolExecutor tomcats
                        ? tomcats.getActiveCount()
                        : Double.NaN;
    }

    private static double threads(AbstractProtocol<?> protocol) {
        return protocol.getExecutor() instanceof ThreadPoolExecutor pool
                ? pool.getPoolSize()
                : protocol.getExecutor() instanceof org.apache.tomcat.util.threads.ThreadPoolExecutor tomcats
                        ? tomcats.getPoolSize()
                        : Double.NaN;
    }
}
