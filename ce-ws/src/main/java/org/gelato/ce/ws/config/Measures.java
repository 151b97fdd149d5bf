package org.gelato.ce.ws.config;

import java.time.Duration;

/** Durations and sizes in the units an administrator would count in, to show what a value was understood as. */
final class Measures {
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Measures() {}

    /** Whole units, the largest first: {@code 1 d 12 h}; {@code 0 s} for nothing. */
    static String text(Duration duration) {
        StringBuilder text = new StringBuilder();
        unit(text, duration.toDaysPart(), "d");
        unit(text, duration.toHoursPart(), "h");
        unit(text, duration.toMinutesPart(), "min");
        unit(text, duration.toSecondsPart(), "s");
        unit(text, duration.toMillisPart(), "ms");
        return text.length() == 0 ? "0 s" : text.toString();
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

    private static void unit(StringBuilder text, long number, String unit) {
        if (number != 0) {
            text.append(text.length() == 0 ? "" : " ")
                    .append(number)
                    .append(' ')
                    .append(unit);
        }
    }
}
