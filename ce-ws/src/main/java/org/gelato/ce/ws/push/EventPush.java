package org.gelato.ce.ws.push;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.web.CallerResolver;

/** Pushes events: {@code /events} of the web application, and the webhooks. */
public final class EventPush implements ServletContextListener, AutoCloseable {
    /** How long a node may send to a receiver without a confirmation before another goes on: several deliveries. */
    public static final Duration CLAIM = Webhook.TIMEOUT.multipliedBy(3);

    private static final String PATH = "/events";

    private final EventsServlet servlet;
    private final Followers<Integer> followers;
    private final List<Webhook> webhooks;

    /**
     * @param places of followers
     * @param requested gets a text for the audit log when the jobs of all users are followed
     * @param trust which receivers are believed
     */
    public EventPush(
            URI baseUrl,
            PushSettings settings,
            PerUserLimit limit,
            EventFeed feed,
            ReceiverCursors cursors,
            CallerResolver callers,
            Consumer<String> requested,
            SSLContext trust,
            Clock clock) {
        EventJson json = new EventJson(baseUrl.toString(), feed.databaseMade());
        followers = new Followers<>(
                "events", new FollowedEvents(feed, json), limit, Followers.Bounds.USUAL, System::nanoTime);
        servlet = new EventsServlet(callers, feed, followers, requested);
        HttpClient client = settings.receivers().isEmpty() ? null : Webhook.client(trust);
        webhooks = settings.receivers().stream()
                .map(r -> new Webhook(r, feed, json, cursors, client, clock))
                .toList();
    }

    /** Begins to send to the webhooks; once. */
    public void work() {
        webhooks.forEach(Webhook::start);
    }

    /** Registers what is counted. */
    public void meter(MeterRegistry meters) {
        Gauge.builder("ce.events.followers", followers, Followers::size)
                .description("Clients that follow events")
                .register(meters);
        FunctionCounter.builder("ce.events.followers.cut", followers, Followers::cut)
                .description("Clients that followed events and were cut because they took nothing")
                .register(meters);
        for (Webhook webhook : webhooks) {
            FunctionCounter.builder("ce.webhook.failures", webhook, Webhook::failures)
                    .description("Deliveries to a webhook that failed")
                    .tag("receiver", webhook.name())
                    .register(meters);
            FunctionCounter.builder("ce.webhook.events", webhook, Webhook::delivered)
                    .description("Events that a webhook confirmed")
                    .tag("receiver", webhook.name())
                    .register(meters);
            Gauge.builder("ce.webhook.behind", webhook, Webhook::behind)
                    .description("How far a webhook is behind the last event, in ids of events")
                    .tag("receiver", webhook.name())
                    .register(meters);
        }
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        HttpEndpoints.add(event.getServletContext(), "events", servlet, PATH);
    }

    @Override
    public void close() {
        followers.close();
        webhooks.forEach(Webhook::close);
    }
}
