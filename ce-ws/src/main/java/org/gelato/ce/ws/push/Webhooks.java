package org.gelato.ce.ws.push;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.ReceiverCursors;

/** Pushes events to the receivers of the configuration. */
public final class Webhooks implements AutoCloseable {
    /** How long a node may send to a receiver without a confirmation before another goes on: several deliveries. */
    public static final Duration CLAIM = Webhook.TIMEOUT.multipliedBy(3);

    private final List<Webhook> webhooks;

    /**
     * @param cursors up to where receivers have confirmed
     * @param trust which receivers are believed
     */
    public Webhooks(
            URI baseUrl,
            PushSettings settings,
            EventFeed feed,
            ReceiverCursors cursors,
            SSLContext trust,
            Clock clock) {
        EventJson json = new EventJson(baseUrl.toString(), feed.databaseMade());
        HttpClient client = settings.receivers().isEmpty() ? null : Webhook.client(trust);
        webhooks = settings.receivers().stream()
                .map(r -> new Webhook(r, feed, json, cursors, client, clock))
                .toList();
    }

    /** Begins to send; once. */
    public void work() {
        webhooks.forEach(Webhook::start);
    }

    /** Registers what is counted. */
    public void meter(MeterRegistry meters) {
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
    public void close() {
        webhooks.forEach(Webhook::close);
    }
}
