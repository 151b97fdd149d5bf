package org.gelato.ce.ws.boot;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs sweeps on a schedule, the first one soon after the start: a CE that is restarted more often than it sweeps must
 * sweep nevertheless. A sweep that fails is logged and has its next turn.
 */
final class Sweeps {
    private static final Logger log = LoggerFactory.getLogger(Sweeps.class);
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final ScheduledExecutorService scheduler;

    Sweeps(ScheduledExecutorService scheduler) {
        this.scheduler = scheduler;
    }

    /** Runs a sweep with this pause between two of them. */
    void every(Duration interval, String name, Runnable sweep) {
        long millis = interval.toMillis();
        scheduler.scheduleWithFixedDelay(
                () -> run(name, sweep), Math.min(FIRST.toMillis(), millis), millis, TimeUnit.MILLISECONDS);
    }

    private static void run(String name, Runnable sweep) {
        try {
            sweep.run();
        } catch (RuntimeException e) {
            // Thrown on, it would end the schedule.
            log.warn("{} failed, trying again at its next turn: {}", name, e.toString());
        }
    }
}
