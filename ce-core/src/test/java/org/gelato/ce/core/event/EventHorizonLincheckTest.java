package org.gelato.ce.core.event;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.Lincheck;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Readers and writers of events at once: no event appears below a horizon that was shown, whether writers commit, roll back or are
 * in the way of a fence. In each operation it is compared with what happened before; its result says whether it held.
 */
@Tag("long")
@Tag("lincheck")
public class EventHorizonLincheckTest {
    /** The ids that a server gives to open transactions, in memory. */
    private static final class Table implements EventIds {
        private final AtomicLong given = new AtomicLong();
        private final ConcurrentSkipListSet<Long> committed = new ConcurrentSkipListSet<>();
        private final ReadWriteLock writers = new ReentrantReadWriteLock();
        private final AtomicLong shown = new AtomicLong();

        @Override
        public long step() {
            return 1;
        }

        @Override
        public List<Long> after(long id, int count) {
            return List.copyOf(committed.tailSet(id, false));
        }

        @Override
        public OptionalLong last(boolean insist) {
            if (!writers.writeLock().tryLock()) {
                return OptionalLong.empty();
            }
            try {
                return OptionalLong.of(committed.isEmpty() ? 0 : committed.last());
            } finally {
                writers.writeLock().unlock();
            }
        }

        /** Whether the event is above all that readers were shown. */
        synchronized boolean commit(long id) {
            committed.add(id);
            return id > shown.get();
        }

        /** Whether no reader was shown more before: a horizon never goes back. */
        synchronized boolean show(long horizon, long before) {
            shown.accumulateAndGet(horizon, Math::max);
            return horizon >= before;
        }
    }

    private final Table table = new Table();
    private final EventHorizon horizon = new EventHorizon(table, () -> 0, Duration.ZERO);

    /** Two transactions that overlap, as their ids are given before either commits. */
    @Operation
    public boolean write() {
        table.writers.readLock().lock();
        try {
            long id = table.given.incrementAndGet();
            return table.commit(id);
        } finally {
            table.writers.readLock().unlock();
        }
    }

    @Operation
    public boolean rollBack() {
        table.writers.readLock().lock();
        try {
            return table.given.incrementAndGet() > 0;
        } finally {
            table.writers.readLock().unlock();
        }
    }

    @Operation
    public boolean read() {
        long before = horizon.known();
        try {
            return table.show(horizon.renewed(), before);
        } catch (ServiceException e) {
            return !horizon.isKnown();
        }
    }

    @Test
    void noEventAppearsBelowAHorizon() {
        Lincheck.check(EventHorizonLincheckTest.class);
    }
}
