package org.gelato.ce.ws.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code GET /metrics} in Prometheus' text format. */
final class MetricsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final transient PrometheusMeterRegistry registry;

    MetricsServlet(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(TEXT);
        registry.scrape(response.getOutputStream(), TEXT);
    }
}
