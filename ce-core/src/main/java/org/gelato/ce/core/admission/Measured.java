package org.gelato.ce.core.admission;

/**
 * One measured value beside its limit.
 *
 * @param what its name in the wording of the original's load monitor (docs/developer/protocol/behaviour.md section 7)
 * @param detected the same beside the value, where the original's wording differs
 * @param limit -1 for none
 * @param number NaN when it could not be measured
 * @param value as shown
 * @param over whether the limit is passed
 */
record Measured(String what, String detected, long limit, double number, String value, boolean over) {
    private static final String UNKNOWN = "N/A";

    /** A count that may not pass its limit. */
    static Measured count(String what, long limit, long value) {
        return new Measured(what, what, limit, value, Long.toString(value), limit >= 0 && value > limit);
    }

    /**
     * A value that may not pass its limit.
     *
     * @param value NaN when it could not be measured, which passes no limit
     */
    static Measured atMost(String what, long limit, double value, String shown) {
        return of(what, limit, value, shown, value > limit);
    }

    /** A value that may not fall below its limit; as {@link #atMost}. */
    static Measured atLeast(String what, long limit, double value, String shown) {
        return of(what, limit, value, shown, value < limit);
    }

    private static Measured of(String what, long limit, double value, String shown, boolean over) {
        return new Measured(what, what, limit, value, Double.isNaN(value) ? UNKNOWN : shown, limit >= 0 && over);
    }

    /** The same with another name beside the value. */
    Measured detectedAs(String name) {
        return new Measured(what, name, limit, number, value, over);
    }

    /** The same, but only shown unless a condition holds. */
    Measured countsIf(boolean condition) {
        return new Measured(what, detected, limit, number, value, over && condition);
    }

    String line() {
        return "Threshold for " + what + ": " + limit + " => Detected value for " + detected + ": " + value;
    }
}
