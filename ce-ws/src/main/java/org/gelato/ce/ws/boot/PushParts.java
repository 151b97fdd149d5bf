package org.gelato.ce.ws.boot;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.live.LiveMessages;
import org.gelato.ce.ws.live.MessageAccess;
import org.gelato.ce.ws.push.EventPush;
import org.gelato.ce.ws.push.Places;
import org.gelato.ce.ws.web.CallerResolver;

/** What clients follow: state changes and messages of jobs, with the places they have in common. */
record PushParts(EventPush events, LiveMessages messages) implements AutoCloseable {
    /**
     * @param owners and authorizer: whose messages an administrator of a VO may read
     * @param requested gets a text for the audit log when others' jobs are followed
     * @param trust which receivers of webhooks are believed
     */
    static PushParts of(
            CeConfig config,
            Database database,
            EventFeed events,
            MessageFeed messages,
            OwnerStore owners,
            GridmapAuthorizer authorizer,
            CallerResolver callers,
            Consumer<String> requested,
            SSLContext trust,
            Clock clock) {
        Places places = config.push().places();
        return new PushParts(
                new EventPush(
                        config.baseUrl(),
                        config.push(),
                        places,
                        events,
                        new ReceiverCursors(database, clock, UUID.randomUUID().toString(), EventPush.CLAIM),
                        callers,
                        requested,
                        trust,
                        clock),
                new LiveMessages(
                        config.baseUrl(),
                        places,
                        messages,
                        new MessageAccess(messages, authorizer::administered, owners::vo, requested),
                        callers));
    }

    /** Registers what is counted. */
    void meter(MeterRegistry meters) {
        events.meter(meters);
        messages.meter(meters);
    }

    @Override
    public void close() {
        events.close();
        messages.close();
    }
}
