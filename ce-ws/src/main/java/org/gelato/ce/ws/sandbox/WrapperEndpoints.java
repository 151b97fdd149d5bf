package org.gelato.ce.ws.sandbox;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.web.ServicePath;

/** Puts the endpoints of this package into a web application when it starts. */
public final class WrapperEndpoints implements ServletContextListener {
    private final WrapperEvents events;
    private final StartFence claims;
    private final MessageIntake messages;

    public WrapperEndpoints(WrapperEvents events, StartFence claims, MessageIntake messages) {
        this.events = events;
        this.claims = claims;
        this.messages = messages;
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
        HttpEndpoints.add(
                context,
                "wrapper-messages",
                new WrapperMessagesServlet(messages),
                ServicePath.in(context, "/ce-cream/wrapper-messages"));
    }
}
