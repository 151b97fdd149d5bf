package org.gelato.ce.ws.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.core.fault.ServiceException;

/** {@code GET /metrics} in Prometheus' text format, for those who may see it. */
final class MetricsServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final transient PrometheusMeterRegistry registry;

    private final transient MonitoringAccess access;

    MetricsServlet(PrometheusMeterRegistry registry, MonitoringAccess access) {
        super("GET", "HEAD");
        this.registry = registry;
        this.access = access;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!access.allows(request)) {
            throw new ServiceException.NotAuthorized(MonitoringAccess.REFUSAL);
        }
        response.setContentType(TEXT);
        registry.scrape(response.getOutputStream(), TEXT);
    }
}
