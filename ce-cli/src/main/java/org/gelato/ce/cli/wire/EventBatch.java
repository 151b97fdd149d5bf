package org.gelato.ce.cli.wire;

import java.util.List;

/**
 * Answer to a question for events.
 *
 * @param events ordered by id
 * @param dbId changes when the CE's database is made anew, and event ids with it
 */
public record EventBatch(List<EventReport> events, String dbId) {
    public EventBatch {
        events = List.copyOf(events);
    }
}
