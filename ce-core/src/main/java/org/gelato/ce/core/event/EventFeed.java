package org.gelato.ce.core.event;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.identity.Caller;

/**
 * The event stream for readers that stay: they keep the id of the last event they have, their cursor, and read what comes
 * after it. A reader that continues from its cursor gets every event once and in order, on whatever node it reads (docs/developer/decisions/0013).
 * Thread-safe.
 */
public interface EventFeed {
    /** Stands for all owners. */
    int ALL_OWNERS = 0;

    /** The number of a caller as owner, for {@link #after}; never {@link #ALL_OWNERS}. */
    int owner(Caller caller);

    /**
     * The largest id that may be read now: no smaller one can appear later. Costs one statement as a rule.
     *
     * @return 0 when there is no event
     * @throws org.gelato.ce.core.fault.ServiceException INTERNAL while it is not known yet, shortly after a start
     */
    long horizon();

    /** When the database was made: ids of a database of another time mean nothing in this one. */
    Instant databaseMade();

    /**
     * The owners that have events in a range of ids, so that the others need not be read.
     *
     * @param after exclusive
     * @param to inclusive, at most {@link #horizon()}
     */
    Set<Integer> ownersBetween(long after, long to);

    /**
     * The first events after a cursor.
     *
     * @param owner one owner, or {@link #ALL_OWNERS}
     * @param after the cursor; exclusive
     * @param to inclusive, at most {@link #horizon()}
     * @param most events returned at most
     * @return by id; fewer than {@code most} when there are no more
     */
    List<OwnedEvent> after(int owner, long after, long to, int most);
}
