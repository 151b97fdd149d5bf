package org.gelato.ce.ws.soap;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.event.EventParts;
import org.gelato.ce.core.event.EventQuery;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.event.JobEvents;
import org.gelato.ce.core.identity.Caller;

/** Answers the events it was given and remembers the last query. */
public final class FakeJobEvents implements JobEvents {
    public static final Instant MADE = Instant.parse("2026-01-01T00:00:00.123456Z");

    public volatile List<JobEvent> events = List.of();
    public volatile EventQuery query;

    @Override
    public EventParts parts(Caller caller, EventQuery requested) {
        query = requested;
        return new EventParts(List.of(events).iterator(), MADE);
    }
}
