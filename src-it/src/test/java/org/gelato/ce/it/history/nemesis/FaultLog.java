package org.gelato.ce.it.history.nemesis;

import java.util.Set;
import java.util.function.Supplier;

/** Where faults are written down. Thread-safe. */
@FunctionalInterface
public interface FaultLog {
    /**
     * Makes a fault, which returns the jobs that the batch system may have ended by it, and writes it down.
     *
     * @param forgets whether the batch system may forget jobs by it
     * @param doubts whether valid credentials may be taken for ended ones by it, or the other way round
     */
    void fault(String name, boolean forgets, boolean doubts, Supplier<Set<String>> fault);
}
