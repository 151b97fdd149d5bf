package org.gelato.ce.core.event;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;

/**
 * The stream of state changes of a caller's jobs: the one way in for every protocol. A caller that continues from the
 * last id seen plus one sees every event exactly once and in order, however transactions overlap and on however many
 * nodes. Thread-safe.
 */
public interface JobEvents {
    /**
     * The events a query means, of the caller's own jobs only, also for admins (docs/developer/protocol/cream2-wire.md section 7).
     *
     * @throws ServiceException INVALID_ARGUMENT for a reversed range; at the first slice, when nothing matches among so many
     *     events that the caller has to go on from a later id, which the text names
     */
    EventParts parts(Caller caller, EventQuery query);

    /** All of {@link #parts}: for few events. */
    default EventPage query(Caller caller, EventQuery query) {
        EventParts parts = parts(caller, query);
        List<JobEvent> events = new ArrayList<>();
        parts.slices().forEachRemaining(events::addAll);
        return new EventPage(events, parts.databaseMade());
    }
}
