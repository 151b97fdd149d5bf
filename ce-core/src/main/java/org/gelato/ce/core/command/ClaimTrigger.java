package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * When the claimer polls the queue: in all lanes when some may have been queued on this node, and by itself every
 * two to five seconds, rarely while nothing is found; in a lane in which more wait, when it has room again. That a place
 * was freed is no reason alone: a poll is a transaction. One thread awaits, any may wake it.
 */
final class ClaimTrigger {
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Semaphore wakeups = new Semaphore(0);
    private final AtomicBoolean queued = new AtomicBoolean();
    /** The claimer's own, as the next. */
    private Duration interval = FIRST;

    private long lastFullPoll = System.nanoTime();

    /** Commands may have been queued; never blocks. */
    void queued() {
        queued.set(true);
        wakeups.release();
    }

    /** A lane may have room again; never blocks. */
    void freed() {
        wakeups.release();
    }

    /**
     * Waits until it is time to poll.
     *
     * @param room whether a lane in which more wait has room
     * @param soonest after what time to check for room without a call; null for no such time
     * @return whether to poll all lanes; otherwise in those in which more wait
     */
    boolean await(BooleanSupplier room, Supplier<Duration> soonest) throws InterruptedException {
        while (true) {
            if (queued.getAndSet(false)) {
                interval = FIRST;
                break;
            }
            Duration wait = interval.minusNanos(System.nanoTime() - lastFullPoll);
            if (wait.isNegative() || wait.isZero()) {
                interval = later();
                break;
            }
            if (room.getAsBoolean()) {
                return false;
            }
            Duration soon = soonest.get();
            wait = soon != null && soon.compareTo(wait) < 0 ? soon : wait;
            if (wakeups.tryAcquire(wait.toMillis() + 1, TimeUnit.MILLISECONDS)) {
                wakeups.drainPermits();
            }
        }
        lastFullPoll = System.nanoTime();
        return true;
    }

    /** Something was found: more may come soon. */
    void found() {
        interval = FIRST;
    }

    private Duration later() {
        Duration twice = interval.multipliedBy(2);
        return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    }
}
