package org.gelato.ce.perf.stub;

import java.time.Duration;

/**
 * The simulated batch system.
 *
 * @param slots jobs that run at once; 0 leaves every job queued
 * @param stageIn from a wrapper's start to its payload's
 * @param jobTime from the payload's start to the wrapper's end
 */
public record StubSettings(int slots, Duration stageIn, Duration jobTime) {
    public StubSettings {
        if (slots < 0 || stageIn.isNegative() || jobTime.isNegative()) {
            throw new IllegalArgumentException("slots and times of the stub batch system must not be negative");
        }
    }
}
