package org.gelato.ce.core.delegation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until the test moves it. */
public final class TestClock extends Clock {
    private volatile Instant now;

    public TestClock(Instant now) {
        this.now = now;
    }

    public synchronized void advance(Duration step) {
        now = now.plus(step);
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** As the CE's own clock, which ticks in microseconds: the JDK divides by zero there. */
    @Override
    public long millis() {
        throw new UnsupportedOperationException("ask for instant()");
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
