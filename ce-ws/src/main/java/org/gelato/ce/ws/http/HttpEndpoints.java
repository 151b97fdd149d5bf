package org.gelato.ce.ws.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import java.util.List;
import org.gelato.ce.ws.web.CeServices;
import org.gelato.ce.ws.web.ServicePath;

/** Puts the endpoints of this package into a web application when it starts. */
public final class HttpEndpoints implements ServletContextListener {
    /** Where the container sends errors to. */
    public static final String ERROR_PATH = "/error";

    private final CeServices services;
    private final Readiness readiness;
    private final PrometheusMeterRegistry meters;
    private final AsyncExchanges exchanges;
    private final MonitoringAccess access;

    /**
     * @param exchanges stands before all servlets of the application, those of other packages too
     * @param monitors networks that see metrics and the details of readiness, beside this host and administrators
     */
    public HttpEndpoints(
            CeServices services,
            Readiness readiness,
            PrometheusMeterRegistry meters,
            AsyncExchanges exchanges,
            List<AddressRange> monitors) {
        this.access = new MonitoringAccess(monitors, services.callers());
        this.services = services;
        this.readiness = readiness;
        this.meters = meters;
        this.exchanges = exchanges;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        exchanges.addTo(context);
        add(context, "error", new ErrorServlet(), ERROR_PATH);
        // What is nowhere is answered like everything else, not by the container, which would wait for the client.
        add(context, "nowhere", new NowhereServlet(), "/");
        add(context, "live", new LiveServlet(), "/health/live");
        add(context, "ready", new ReadyServlet(readiness, access), "/health/ready");
        add(context, "metrics", new MetricsServlet(meters, access), "/metrics");
        add(
                context,
                "wrapper-events",
                new WrapperEventsServlet(services.wrapperEvents()),
                ServicePath.in(context, "/ce-cream/wrapper-events"));
        add(
                context,
                "wrapper-claims",
                new WrapperClaimsServlet(services.wrapperClaims()),
                ServicePath.in(context, "/ce-cream/wrapper-claims"));
        add(
                context,
                "explain",
                new ExplainServlet(services.callers(), services.explainer()),
                ServicePath.in(context, "/ce-cream/admin/explain"));
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
