package org.gelato.ce.ws.dashboard;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Values as the page gets them. */
final class PageJson {
    private static final MathContext DIGITS = new MathContext(6);

    private PageJson() {}

    /** Six digits are more than a figure shows; null for NaN, which JSON does not know. */
    static Number number(double value) {
        if (!Double.isFinite(value)) {
            return null;
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? (Number) (long) value
                : (Number) new BigDecimal(value).round(DIGITS).doubleValue();
    }

    static List<Number> numbers(double[] values) {
        List<Number> numbers = new ArrayList<>(values.length);
        for (double value : values) {
            numbers.add(number(value));
        }
        return numbers;
    }

    /** ISO 8601; null for null. */
    static String time(Instant time) {
        return time == null ? null : time.toString();
    }
}
