package org.gelato.ce.core.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobNumbers;

/**
 * Reads the event stream up to its horizon. A query by ids and states is one index range per state and reads no more
 * events than it returns. Times and WMS instances have no index: such a query sifts the events in windows, gives its
 * connection back between them, and ends after a fixed number.
 */
public final class EventQueries implements JobEvents, EventFeed {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Database database;
    private final OwnerStore owners;
    private final EventStore store;
    private final EventHorizon horizon;
    private final Instant databaseMade;

    public EventQueries(Database database, OwnerStore owners, JobNumbers numbers) {
        this(database, owners, numbers, System::nanoTime, PATIENCE);
    }

    /** @see EventHorizon#EventHorizon */
    EventQueries(Database database, OwnerStore owners, JobNumbers numbers, LongSupplier nanoTime, Duration patience) {
        this.database = database;
        this.owners = owners;
        this.store = new EventStore(numbers);
        this.horizon = new EventHorizon(new StoredEventIds(database, store), nanoTime, patience);
        this.databaseMade = database.read(EventStore::databaseMade);
    }

    /**
     * Whether events can be read: a call of {@link #horizon} has succeeded since the start. A transaction that has held the table of
     * events since before the start makes such calls fail.
     */
    public boolean isReadable() {
        return horizon.isKnown();
    }

    @Override
    public EventParts parts(Caller caller, EventQuery query) {
        if (query.fromId() > query.toId()) {
            throw ServiceException.invalid(
                    "fromEventId " + query.fromId() + " is greater than toEventId " + query.toId() + "!");
        }
        if (query.from() != null && query.to() != null && query.from().isAfter(query.to())) {
            throw ServiceException.invalid("fromDate is later than toDate!");
        }
        int owner = owners.owner(caller.identity());
        long end = horizon.known() >= query.toId() ? query.toId() : Math.min(query.toId(), horizon.renewed());
        return new EventParts(
                new EventSlices(query, (from, count, wanted) -> window(owner, query, from, end, count, wanted)),
                databaseMade);
    }

    @Override
    public int owner(Caller caller) {
        return owners.owner(caller.identity());
    }

    @Override
    public long horizon() {
        return horizon.renewed();
    }

    @Override
    public Instant databaseMade() {
        return databaseMade;
    }

    @Override
    public Set<Integer> ownersBetween(long after, long to) {
        return database.read(h -> store.owners(h, after + 1, to));
    }

    @Override
    public List<OwnedEvent> after(int owner, long after, long to, int most) {
        return database.read(h -> store.owned(h, owner, after + 1, to, most));
    }

    private EventStore.Window window(int owner, EventQuery query, long from, long to, int count, int wanted) {
        EventStore.Window window = new EventStore.Window(row -> matches(query, row), wanted, count > 1);
        database.read(h -> {
            store.events(h, owner, from, to, query.states(), count, window);
            return null;
        });
        return window;
    }

    private static boolean matches(EventQuery query, EventStore.Row row) {
        Instant at = row.event().status().since();
        return (query.from() == null || !at.isBefore(query.from()))
                && (query.to() == null || !at.isAfter(query.to()))
                && (query.iceId() == null || query.iceId().equals(row.ice()));
    }
}
