package org.gelato.ce.core.admission;

/**
 * One measured value beside its limit.
 *
 * @param what its name in the wording of the original's load monitor (contract/behaviour.md section 7)
 * @param detected the same beside the value, where the original's wording differs
 * @param limit -1 for none
 * @param value as shown
 * @param over whether the limit is passed
 */
record Measured(String what, String detected, long limit, String value, boolean over) {
    /** A count that may not pass its limit. */
    static Measured count(String what, long limit, long value) {
        return count(what, what, limit, value);
    }

    /** As {@link #count(String, long, long)}. */
    static Measured count(String what, String detected, long limit, long value) {
        return new Measured(what, detected, limit, Long.toString(value), limit >= 0 && value > limit);
    }

    /** A value that is only shown. */
    static Measured shown(String what, String value) {
        return new Measured(what, what, -1, value, false);
    }

    String line() {
        return "Threshold for " + what + ": " + limit + " => Detected value for " + detected + ": " + value;
    }
}
