package org.gelato.ce.ws.parts;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.fault.Repeated;

/**
 * Runs sweeps on a schedule, the first one soon after the start: a CE that is restarted more often than it sweeps must
 * sweep nevertheless. A sweep that fails is logged and has its next turn.
 */
final class Sweeps {
    private static final Duration FIRST = Duration.ofMinutes(1);
    /** Work that hangs is interrupted then. */
    private static final Duration LAST = Duration.ofSeconds(5);

    private final ScheduledExecutorService scheduler;

    /** One whose repeated work is repeated whatever it throws: elsewhere an exception ends it, and nothing shows that. */
    static ScheduledExecutorService scheduler(int threads, ThreadFactory factory) {
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(threads, factory) {
            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable work, long first, long delay, TimeUnit unit) {
                return super.scheduleWithFixedDelay(Repeated.of("periodic work", work), first, delay, unit);
            }
        };
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return scheduler;
    }

    /** Ends it when what runs just now is done: the database, which is closed next, would fail it and be reported. */
    static void end(ScheduledExecutorService scheduler) {
        scheduler.shutdown();
        try {
            if (!scheduler.awaitTermination(LAST.toMillis(), TimeUnit.MILLISECONDS)) {
                scheduler.shutdownNow();
            }
        } catch (InterruptedException e) {
            scheduler.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    Sweeps(ScheduledExecutorService scheduler) {
        this.scheduler = scheduler;
    }

    /** Runs a sweep with this pause between two of them. */
    void every(Duration interval, String name, Runnable sweep) {
        long millis = interval.toMillis();
        scheduler.scheduleWithFixedDelay(
                Repeated.of(name, sweep), Math.min(FIRST.toMillis(), millis), millis, TimeUnit.MILLISECONDS);
    }
}
