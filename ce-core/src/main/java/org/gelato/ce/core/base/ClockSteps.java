package org.gelato.ce.core.base;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Finds out when this host's clock was set, by one that nobody sets. What waits for a time that is stored would else wait for as much longer
 * where it was set back, and not at all where it was set forward. Slow corrections are no steps. For one thread.
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

    /** How far the clock was set forward since the last call, negative where it was set back; zero when it was not set. */
    public Duration forward() {
        Instant time = clock.instant();
        long tick = ticker.getAsLong();
        Duration forward = Duration.between(lastTime, time).minusNanos(tick - lastTick);
        lastTime = time;
        lastTick = tick;
        return forward.abs().compareTo(SMALLEST) > 0 ? forward : Duration.ZERO;
    }
}
