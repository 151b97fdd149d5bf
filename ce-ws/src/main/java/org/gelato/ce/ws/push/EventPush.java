package org.gelato.ce.ws.push;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import java.util.function.Consumer;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.web.CallerResolver;

/** Pushes events to clients that follow them: {@code /events} of the web application. */
public final class EventPush implements ServletContextListener, AutoCloseable {
    private static final String PATH = "/events";

    private final EventsServlet servlet;
    private final Followers<Integer> followers;

    /**
     * @param limit places of followers
     * @param requested gets a text for the audit log when the jobs of all users are followed
     */
    public EventPush(
            URI baseUrl, PerUserLimit limit, EventFeed feed, CallerResolver callers, Consumer<String> requested) {
        EventJson json = new EventJson(baseUrl.toString(), feed.databaseMade());
        followers = new Followers<>(
                "events", new FollowedEvents(feed, json), limit, Followers.Bounds.USUAL, System::nanoTime);
        servlet = new EventsServlet(callers, feed, followers, requested);
    }

    /** Registers what is counted. */
    public void meter(MeterRegistry meters) {
        Gauge.builder("ce.events.followers", followers, Followers::size)
                .description("Clients that follow events")
                .register(meters);
        FunctionCounter.builder("ce.events.followers.cut", followers, Followers::cut)
                .description("Clients that followed events and were cut because they took nothing")
                .register(meters);
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        HttpEndpoints.add(event.getServletContext(), "events", servlet, PATH);
    }

    @Override
    public void close() {
        followers.close();
    }
}
