package org.gelato.ce.ws.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/** Threads and connections of a connector, read on request. */
record ConnectorMeters(FaultKeepingProtocol protocol, MeterRegistry registry) {
    void bind() {
        gauge("tomcat.threads.busy", "Threads that work on a request", threads(ThreadPoolExecutor::getActiveCount));
        gauge("tomcat.threads.current", "Threads", threads(ThreadPoolExecutor::getPoolSize));
        gauge("tomcat.threads.max", "Most threads", AbstractProtocol::getMaxThreads);
        gauge("tomcat.connections.current", "Open connections", AbstractProtocol::getConnectionCount);
        gauge("tomcat.connections.max", "Most connections", AbstractProtocol::getMaxConnections);
        counter(
                "ce.connections.evicted",
                "Connections without certificate closed or refused because their address had too many",
                GuardedEndpoint::evicted);
        counter(
                "ce.connections.overdue",
                "Connections closed because a TLS handshake or a request's head took too long",
                GuardedEndpoint::overdue);
    }

    private void counter(String name, String description, ToDoubleFunction<GuardedEndpoint> value) {
        FunctionCounter.builder(name, protocol.guard(), value)
                .description(description)
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<FaultKeepingProtocol> value) {
        Gauge.builder(name, protocol, value).description(description).register(registry);
    }

    /** Of the connector's own pool, which it has while it runs. */
    private static ToDoubleFunction<FaultKeepingProtocol> threads(ToIntFunction<ThreadPoolExecutor> value) {
        return p -> p.getExecutor() instanceof ThreadPoolExecutor pool ? value.applyAsInt(pool) : Double.NaN;
    }
}
