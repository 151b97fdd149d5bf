package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * When the claimer looks for due commands: at once when some may have been queued on this node, when a lane in which more
 * wait has room again, and by itself every two to five seconds, seldom while nothing is found. That a place was freed is no
 * reason alone: a look is a transaction. One thread awaits, any may wake it.
 */
final class Looks {
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Semaphore wakeups = new Semaphore(0);
    private final AtomicBoolean queued = new AtomicBoolean();
    /** The claimer's own. */
    private Duration look = FIRST;

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
     * Waits until it is time to look.
     *
     * @param room whether a lane in which more wait has room
     * @param soonest after what time to look though nobody calls; null for no such time. Asked anew each time something is
     *     freed
     */
    void await(BooleanSupplier room, Supplier<Duration> soonest) throws InterruptedException {
        long end = System.nanoTime() + look.toNanos();
        while (!queued.getAndSet(false) && !room.getAsBoolean()) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Duration soon = soonest.get();
            boolean early = soon != null && soon.compareTo(left) < 0;
            if (wakeups.tryAcquire((early ? soon : left).toMillis() + 1, TimeUnit.MILLISECONDS)) {
                wakeups.drainPermits();
            } else {
                look = early ? look : later();
                return;
            }
        }
        look = FIRST;
    }

    /** Something was found: more may come soon. */
    void found() {
        look = FIRST;
    }

    private Duration later() {
        Duration twice = look.multipliedBy(2);
        return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    }
}
