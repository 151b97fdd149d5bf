package org.gelato.ce.core.fault;

import java.time.Duration;

/**
 * Exponential back-off: the wait before the next try doubles with each failure in a row.
 *
 * @param first wait after the first failure; positive
 * @param longest wait; not less than the first
 */
public record Backoff(Duration first, Duration longest) {
    /** Doublings after which any wait of a nanosecond or more has reached any bound. */
    private static final int MAX_DOUBLINGS = 62;

    public Backoff {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException("a back-off from " + first + " to " + longest);
        }
    }

    /** The wait after so many failures in a row; zero after none. */
    public Duration after(int failures) {
        if (failures <= 0) {
            return Duration.ZERO;
        }
        Duration wait = first;
        for (int i = 1; i < Math.min(failures, MAX_DOUBLINGS) && wait.compareTo(longest) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(longest) > 0 ? longest : wait;
    }
}
