package org.gelato.ce.ws.parts;

import jakarta.servlet.ServletContextListener;
import java.util.List;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * What makes this a CE.
 *
 * @param callers who calls, for monitoring: readers of its configuration need no mapping
 * @param checks beside the database's own
 * @param protocols add their servlets
 * @param tls makes the embedded server's connector use TLS
 * @param work begins what the CE does by itself: after an earlier process left work for minutes, clients still get
 *     responses as soon as without it
 */
public record Parts(
        CallerResolver callers,
        List<HealthCheck> checks,
        List<ServletContextListener> protocols,
        Consumer<Connector> tls,
        Runnable work) {}
