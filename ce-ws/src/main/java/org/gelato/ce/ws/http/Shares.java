package org.gelato.ce.ws.http;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds how much of what all share one person holds at once, so that others find some left. A person is the subject of an
 * end-entity certificate: many FQANs give no larger share. Of this process alone. Thread-safe; never blocks.
 */
public final class Shares {
    private final int most;
    private final Map<String, Integer> held = new ConcurrentHashMap<>();

    /** @param most places that one person may hold at once, 1 or more */
    public Shares(int most) {
        this.most = most;
    }

    /** Keeps a quarter of the places for others than the person who has most. */
    public static Shares leavingAQuarterOf(int places) {
        return new Shares(places - places / 4);
    }

    /** What one person may hold at once. */
    public int most() {
        return most;
    }

    /**
     * Takes a place, to be given back when the work it is for is done.
     *
     * @param person the subject's DN, RFC 2253
     * @return empty when the person holds as many as one may
     */
    public Optional<Place> enter(String person) {
        Place place = new Place(person);
        held.compute(person, (who, now) -> {
            int before = now == null ? 0 : now;
            if (before >= most) {
                return now;
            }
            place.open.set(true);
            return before + 1;
        });
        return place.open.get() ? Optional.of(place) : Optional.empty();
    }

    /** A place that is held; given back once, however often it is closed and by whatever thread. */
    public final class Place {
        private final String person;
        private final AtomicBoolean open = new AtomicBoolean();

        private Place(String person) {
            this.person = person;
        }

        /** Gives the place back. */
        public void close() {
            if (open.compareAndSet(true, false)) {
                held.computeIfPresent(person, (who, now) -> now == 1 ? null : now - 1);
            }
        }
    }
}
