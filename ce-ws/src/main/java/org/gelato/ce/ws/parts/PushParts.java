package org.gelato.ce.ws.parts;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.core.job.LabelStore;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.parts.monitoring.PartChecks;
import org.gelato.ce.ws.push.EventPush;
import org.gelato.ce.ws.push.LabelledJobs;
import org.gelato.ce.ws.push.LiveMessages;
import org.gelato.ce.ws.push.MessageAccess;
import org.gelato.ce.ws.push.Webhooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients follow: state changes and messages of jobs, with the limit they have in common; and jobs by their names. */
record PushParts(EventPush events, Webhooks webhooks, LiveMessages messages, LabelledJobs labels)
        implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PushParts.class);

    private static final Duration UNREADABLE_PAUSE = Duration.ofSeconds(1);

    /** @param requested gets a text for the audit log when others' jobs are followed */
    static PushParts open(
            Opening o,
            StoreParts stores,
            FollowParts follow,
            AuthorizationParts authorization,
            TrustParts trust,
            EventFeed feed,
            Consumer<String> requested) {
        CeConfig config = o.config();
        PerUserLimit limit = config.push().limit();
        MessageFeed messages = follow.messages().feed();
        PushParts push = o.opened(new PushParts(
                new EventPush(config.baseUrl(), limit, feed, authorization.callers(), requested),
                new Webhooks(
                        config.baseUrl(),
                        config.push(),
                        feed,
                        new ReceiverCursors(
                                stores.database(), o.clock(), UUID.randomUUID().toString(), Webhooks.CLAIM),
                        trust.servers(),
                        o.clock()),
                new LiveMessages(
                        config.baseUrl(),
                        limit,
                        messages,
                        new MessageAccess(
                                messages, authorization.authorizer()::administered, stores.owners()::vo, requested),
                        authorization.callers()),
                new LabelledJobs(
                        config.baseUrl(),
                        authorization.callers(),
                        new LabelStore(stores.database(), stores.owners(), stores.numbers())::find)));
        push.events.meter(o.meters());
        push.webhooks.meter(o.meters());
        push.messages.meter(o.meters());
        follow.messages().intake().onStored(push.messages::stored);
        o.work(push.webhooks::work);
        if (!config.push().receivers().isEmpty()) {
            o.check(PartChecks.webhooks(config.push().receivers()));
        }
        return push;
    }

    /** The events of the database; the CE is not ready until they can be read. */
    static EventQueries events(Opening o, StoreParts stores) {
        EventQueries events = new EventQueries(stores.database(), stores.owners(), stores.numbers());
        makeReadable(events);
        if (!events.isReadable()) {
            o.every(UNREADABLE_PAUSE, UNREADABLE_PAUSE, () -> makeReadable(events));
        }
        o.check(PartChecks.events(events::isReadable));
        return events;
    }

    /** A start does not fail for events: whatever stops this is tried again, and readiness shows it meanwhile. */
    private static void makeReadable(EventQueries events) {
        if (!events.isReadable()) {
            try {
                events.horizon();
            } catch (RuntimeException e) {
                log.debug("Job events cannot be read yet", e);
            }
        }
    }

    @Override
    public void close() {
        events.close();
        webhooks.close();
        messages.close();
    }
}
