package org.gelato.ce.core.process;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Finds out when this host's clock was set back, by one that nobody sets. What waits for a time that is stored would else wait for as much
 * longer. Slow corrections are no steps. For one thread.
 */
public final class ClockSteps {
    /** Of a step that counts; smaller ones cost no more than that. */
    private static final Duration SMALLEST = Duration.ofSeconds(2);

    private final Clock clock;
    private final LongSupplier ticker;
    private Instant lastTime;
    private long lastTick;

    /** @param ticker nanoseconds from any beginning */
    public ClockSteps(Clock clock, LongSupplier ticker) {
        this.clock = clock;
        this.ticker = ticker;
        this.lastTime = clock.instant();
        this.lastTick = ticker.getAsLong();
    }

    /** How far the clock was set back since the last call; zero when it was not. */
    public Duration back() {
        Instant time = clock.instant();
        long tick = ticker.getAsLong();
        Duration back = Duration.ofNanos(tick - lastTick).minus(Duration.between(lastTime, time));
        lastTime = time;
        lastTick = tick;
        return back.compareTo(SMALLEST) > 0 ? back : Duration.ZERO;
    }
}
