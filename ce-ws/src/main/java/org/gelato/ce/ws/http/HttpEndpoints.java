package org.gelato.ce.ws.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;

/** Puts error pages, health and metrics into a web application when it starts. */
public final class HttpEndpoints implements ServletContextListener {
    /** Where the container sends errors to. */
    public static final String ERROR_PATH = "/error";

    private final Readiness readiness;
    private final PrometheusMeterRegistry meters;
    private final AsyncExchanges exchanges;
    private final MonitoringAccess access;

    /**
     * @param exchanges stands before all servlets of the application, those of other packages too
     * @param access who sees metrics and the details of readiness
     */
    public HttpEndpoints(
            Readiness readiness, PrometheusMeterRegistry meters, AsyncExchanges exchanges, MonitoringAccess access) {
        this.access = access;
        this.readiness = readiness;
        this.meters = meters;
        this.exchanges = exchanges;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        exchanges.addTo(context);
        add(context, "error", new ErrorServlet(), ERROR_PATH);
        // Unknown paths are served like everything else, not by the container, which would wait for the client.
        add(context, "nowhere", new NowhereServlet(), "/");
        add(context, "live", new LiveServlet(), "/health/live");
        add(context, "ready", new ReadyServlet(readiness, access), "/health/ready");
        add(context, "metrics", new MetricsServlet(meters, access), "/metrics");
    }

    /**
     * Puts a servlet at a path.
     *
     * @throws IllegalStateException when another one has the path
     */
    public static void add(ServletContext context, String name, Servlet servlet, String path) {
        ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
        if (registration == null || !registration.addMapping(path).isEmpty()) {
            throw new IllegalStateException("the path " + path + " is taken by another servlet");
        }
        registration.setAsyncSupported(true);
    }
}
