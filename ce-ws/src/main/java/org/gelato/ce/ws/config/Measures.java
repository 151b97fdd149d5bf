package org.gelato.ce.ws.config;

import java.time.Duration;
import org.gelato.ce.core.fault.Messages;

/** Durations and sizes in the units an administrator would count in, to show what a value was understood as. */
final class Measures {
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Measures() {}

    /** Whole units, the largest first: {@code 1 d 12 h}; {@code 0 s} for nothing. */
    static String text(Duration duration) {
        return Messages.span(duration);
    }

    /** By the largest unit of which it is a whole number: {@code 1536 MiB}. */
    static String text(long bytes) {
        long number = bytes;
        int unit = 0;
        while (number != 0 && number % 1024 == 0 && unit < SIZES.length - 1) {
            number /= 1024;
            unit++;
        }
        return number + " " + SIZES[unit];
    }
}
