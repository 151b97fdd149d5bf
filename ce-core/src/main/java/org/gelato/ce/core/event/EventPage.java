package org.gelato.ce.core.event;

import java.time.Instant;
import java.util.List;

/**
 * Answer to an event query.
 *
 * @param events ordered by id
 * @param databaseMade when the database was made: ids seen in a database of another time mean nothing in this one
 */
public record EventPage(List<JobEvent> events, Instant databaseMade) {
    public EventPage {
        events = List.copyOf(events);
    }
}
