package org.gelato.ce.cli.wire;

import java.time.Instant;
import java.util.List;

/**
 * Which events are requested.
 *
 * @param fromId smallest id, inclusive
 * @param toId largest id, inclusive; null for an open end
 * @param from null for any time
 * @param to null for any time
 * @param states names of the wire; empty for any
 * @param size most events in one response
 */
public record EventSelector(long fromId, Long toId, Instant from, Instant to, List<String> states, int size) {
    public EventSelector {
        states = List.copyOf(states);
    }

    /** The same from another id on. */
    public EventSelector startingAt(long id, int most) {
        return new EventSelector(id, toId, from, to, states, most);
    }
}
