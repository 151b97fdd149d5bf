package org.gelato.ce.it.history.nemesis;

import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Where faults are written down. Thread-safe. */
@FunctionalInterface
public interface FaultLog {
    /** While an authority was certainly not believed: positions in the order of all beginnings and ends. */
    record Away(long from, long until) {}

    /**
     * What was made.
     *
     * @param ended jobs that the batch system may have ended by it
     * @param away null where no authority was
     */
    record Made(Set<String> ended, Away away) {
        public static final Made NOTHING = new Made(Set.of(), null);
    }

    /**
     * Makes a fault and writes it down.
     *
     * @param fault gets the positions
     */
    void fault(FaultKind kind, Function<LongSupplier, Made> fault);
}
