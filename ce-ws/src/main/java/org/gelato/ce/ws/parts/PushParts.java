package org.gelato.ce.ws.parts;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.live.LiveMessages;
import org.gelato.ce.ws.live.MessageAccess;
import org.gelato.ce.ws.parts.monitoring.PartChecks;
import org.gelato.ce.ws.push.EventPush;

/** What clients follow: state changes and messages of jobs, with the limit they have in common. */
record PushParts(EventPush events, LiveMessages messages) implements AutoCloseable {
    private static final Duration BEGIN_PAUSE = Duration.ofSeconds(1);

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
        MessageFeed messages = follow.messageFeed();
        PushParts push = o.opened(new PushParts(
                new EventPush(
                        config.baseUrl(),
                        config.push(),
                        limit,
                        feed,
                        new ReceiverCursors(
                                stores.database(), o.clock(), UUID.randomUUID().toString(), EventPush.CLAIM),
                        authorization.callers(),
                        requested,
                        trust.servers(),
                        o.clock()),
                new LiveMessages(
                        config.baseUrl(),
                        limit,
                        messages,
                        new MessageAccess(
                                messages, authorization.authorizer()::administered, stores.owners()::vo, requested),
                        authorization.callers())));
        push.events.meter(o.meters());
        push.messages.meter(o.meters());
        follow.messages().onStored(push.messages::stored);
        o.work(push.events::work);
        return push;
    }

    /** The events of the database; the CE is not ready until they can be read. */
    static EventQueries events(Opening o, StoreParts stores) {
        EventQueries events = new EventQueries(stores.database(), stores.owners(), stores.numbers(), o.clock());
        if (!events.begin()) {
            o.every(BEGIN_PAUSE, BEGIN_PAUSE, events::begin);
        }
        o.check(PartChecks.events(events::hasBegun));
        return events;
    }

    @Override
    public void close() {
        events.close();
        messages.close();
    }
}
