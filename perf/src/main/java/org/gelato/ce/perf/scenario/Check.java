package org.gelato.ce.perf.scenario;

import java.util.Locale;

/**
 * One thing that must hold: a count, or a ratio of two values of the same run; never a time of its own, except where the time is
 * the promise (docs/developer/performance.md).
 *
 * @param name as in the result
 * @param value what was measured
 * @param bound the limit, included
 * @param kind on which side of the bound the value must be
 */
public record Check(String name, double value, double bound, Kind kind) {
    /** A side of the bound. */
    public enum Kind {
        AT_MOST,
        AT_LEAST;

        @Override
        public String toString() {
            return this == AT_MOST ? "at most" : "at least";
        }
    }

    static Check atMost(String name, double value, double bound) {
        return new Check(name, value, bound, Kind.AT_MOST);
    }

    static Check atLeast(String name, double value, double bound) {
        return new Check(name, value, bound, Kind.AT_LEAST);
    }

    /** Nothing of this may happen. */
    static Check none(String name, long count) {
        return atMost(name, (double) count, 0);
    }

    /** A value that is no number does not hold. */
    public boolean held() {
        return kind == Kind.AT_MOST ? value <= bound : value >= bound;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s is %.3f and must be %s %.3f", name, value, kind, bound);
    }
}
