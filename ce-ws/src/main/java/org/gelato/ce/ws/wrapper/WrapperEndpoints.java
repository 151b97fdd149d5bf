package org.gelato.ce.ws.wrapper;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.web.ServicePath;

/** Puts the endpoints of this package into a web application when it starts. */
public final class WrapperEndpoints implements ServletContextListener {
    private final WrapperEvents events;
    private final StartFence claims;

    public WrapperEndpoints(WrapperEvents events, StartFence claims) {
        this.events = events;
        this.claims = claims;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        HttpEndpoints.add(
                context,
                "wrapper-events",
                new WrapperEventsServlet(events),
                ServicePath.in(context, "/ce-cream/wrapper-events"));
        HttpEndpoints.add(
                context,
                "wrapper-claims",
                new StartFenceServlet(claims),
                ServicePath.in(context, "/ce-cream/wrapper-claims"));
    }
}
