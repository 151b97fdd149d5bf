package org.gelato.ce.core.event;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.ServiceException;

/**
 * Reads the event stream up to its horizon. A query by ids and states is one index range per state and reads no more
 * events than it answers. Times and WMS instances have no index: such a query sifts the events in windows, gives its
 * connection back between them, and ends after a fixed number.
 */
public final class EventQueries implements JobEvents {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int WINDOW = 2000;
    private static final int WINDOWS = 50;

    private final Database database;
    private final OwnerStore owners;
    private final EventStore store;
    private final EventHorizon horizon;
    private final Instant databaseMade;

    public EventQueries(Database database, OwnerStore owners, JobNumbers numbers, Clock clock) {
        this(database, owners, numbers, clock, PATIENCE);
    }

    /** @param patience see {@link EventHorizon} */
    EventQueries(Database database, OwnerStore owners, JobNumbers numbers, Clock clock, Duration patience) {
        this.database = database;
        this.owners = owners;
        this.store = new EventStore(numbers);
        this.horizon = new EventHorizon(database, store, clock, patience);
        this.databaseMade = database.read(EventStore::databaseMade);
    }

    @Override
    public EventPage query(Caller caller, EventQuery query) {
        if (query.fromId() > query.toId()) {
            throw new ServiceException.InvalidArgument(
                    "fromEventId " + query.fromId() + " is greater than toEventId " + query.toId() + "!");
        }
        if (query.from() != null && query.to() != null && query.from().isAfter(query.to())) {
            throw new ServiceException.InvalidArgument("fromDate is later than toDate!");
        }
        int owner = owners.owner(caller.identity());
        long end = horizon.known() >= query.toId() ? query.toId() : Math.min(query.toId(), horizon.renewed());
        return new EventPage(query.isSifted() ? sifted(owner, query, end) : plain(owner, query, end), databaseMade);
    }

    private List<JobEvent> plain(int owner, EventQuery query, long end) {
        return window(owner, query, query.fromId(), end, query.size()).stream()
                .map(EventStore.Row::event)
                .toList();
    }

    private List<JobEvent> sifted(int owner, EventQuery query, long end) {
        List<JobEvent> found = new ArrayList<>();
        long from = query.fromId();
        for (int i = 0; i < WINDOWS; i++) {
            // Most filters let everything through: the first window is no larger than the answer.
            int count = i == 0 ? query.size() : WINDOW;
            List<EventStore.Row> rows = window(owner, query, from, end, count);
            rows.stream()
                    .filter(row -> matches(query, row))
                    .limit(query.size() - found.size())
                    .map(EventStore.Row::event)
                    .forEach(found::add);
            if (rows.size() < count || found.size() == query.size()) {
                return found;
            }
            from = rows.get(rows.size() - 1).event().id() + 1;
        }
        if (found.isEmpty()) {
            // An empty answer would say that there is nothing up to the end, and the client would ask the same for
            // ever.
            throw new ServiceException.InvalidArgument(
                    "no event matches up to id " + (from - 1) + ", ask again with fromEventId " + from + "!");
        }
        return found;
    }

    private List<EventStore.Row> window(int owner, EventQuery query, long from, long to, int count) {
        return database.read(h -> store.events(h, owner, from, to, query.states(), count));
    }

    private static boolean matches(EventQuery query, EventStore.Row row) {
        Instant at = row.event().status().since();
        return (query.from() == null || !at.isBefore(query.from()))
                && (query.to() == null || !at.isAfter(query.to()))
                && (query.iceId() == null || query.iceId().equals(row.ice()));
    }
}
