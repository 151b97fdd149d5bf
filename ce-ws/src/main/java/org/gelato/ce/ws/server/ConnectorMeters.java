package org.gelato.ce.ws.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.ToDoubleFunction;
import org.apache.coyote.AbstractProtocol;

/** Threads and connections of a connector, read when asked for. */
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
