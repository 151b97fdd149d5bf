package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.gelato.ce.ws.web.Parameters;

/**
 * Between two times of a request: {@code from} and {@code to}, each a month, a day or a time, of which the begin counts.
 *
 * @param from the first time of it
 * @param to the first time after it
 */
record Interval(Instant from, Instant to) {
    private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
    /** The database knows no later times. */
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    /** Lengths of texts: 2026-01, 2026-01-31. */
    private static final int MONTH = 7;

    private static final int DAY = 10;

    /** All times where a parameter is absent. */
    static Interval of(HttpServletRequest request) {
        Interval interval = new Interval(time(request, "from", FIRST), time(request, "to", LAST));
        if (!interval.from().isBefore(interval.to())) {
            throw new IllegalArgumentException("parameter from is not before parameter to");
        }
        return interval;
    }

    private static Instant time(HttpServletRequest request, String name, Instant otherwise) {
        String text = Parameters.single(request, name);
        if (text == null) {
            return otherwise;
        }
        try {
            Instant time = switch (text.length()) {
                case MONTH -> begin(YearMonth.parse(text).atDay(1));
                case DAY -> begin(LocalDate.parse(text));
                default -> Instant.parse(text);
            };
            if (time.isBefore(FIRST) || time.isAfter(LAST)) {
                throw new DateTimeException("out of range");
            }
            return time;
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "parameter " + name + " is no time such as 2026-01, 2026-01-31 or 2026-01-31T12:00:00Z", e);
        }
    }

    private static Instant begin(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
