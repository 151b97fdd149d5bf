package org.gelato.ce.core.event;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.gelato.ce.core.db.SliceWeight;
import org.gelato.ce.core.fault.ServiceException;

/**
 * The result of one event query, read in windows of ids: one, unless the texts of its events are long, or it is sifted. A
 * window that weighs too much is read again with half the events. For one thread.
 */
final class EventSlices implements Iterator<List<JobEvent>> {
    private static final int WINDOW = 2000;
    private static final int WINDOWS = 50;

    private final Reader reader;
    private final boolean sifted;
    private int wanted;
    private int most;
    private long from;
    private int windows;
    private boolean found;
    private boolean ended;

    interface Reader {
        /**
         * Reads the events from an id on.
         *
         * @param count events to read
         * @param wanted events to keep at most
         * @throws SliceWeight.TooHeavy when it would be too much at a time; never for a single event
         */
        EventStore.Window read(long from, int count, int wanted);
    }

    EventSlices(EventQuery query, Reader reader) {
        this.reader = reader;
        this.sifted = query.isSifted();
        this.wanted = query.size();
        this.from = query.fromId();
        // Most filters let everything through: the first window is no larger than the result.
        this.most = query.size();
    }

    @Override
    public boolean hasNext() {
        return !ended;
    }

    /**
     * @throws ServiceException INVALID_ARGUMENT at the first slice, when nothing matches among so many events that the caller
     *     has to go on from a later id
     */
    @Override
    public List<JobEvent> next() {
        if (ended) {
            throw new NoSuchElementException("the result has ended");
        }
        List<JobEvent> events = window();
        while (!found && !ended) {
            events = window();
        }
        return events;
    }

    private List<JobEvent> window() {
        while (true) {
            int count = sifted ? most : Math.min(most, wanted);
            try {
                EventStore.Window window = reader.read(from, count, wanted);
                wanted -= window.events().size();
                found |= !window.events().isEmpty();
                windows++;
                if (window.read() < count || wanted == 0) {
                    ended = true;
                } else {
                    from = window.last() + 1;
                    most = sifted ? WINDOW : most;
                    ended = sifted && windows == WINDOWS;
                    if (ended && !found) {
                        // An empty result would mean that there is nothing up to the end, and the client would ask the
                        // same for ever.
                        throw ServiceException.invalid("no event matches up to id " + (from - 1)
                                + ", ask again with fromEventId " + from + "!");
                    }
                }
                return window.events();
            } catch (SliceWeight.TooHeavy e) {
                most = Math.max(1, count / 2);
            }
        }
    }
}
