package org.gelato.ce.core.intake;

import java.util.List;

/** Takes in what wrappers report. Thread-safe. */
public interface WrapperEvents {
    /**
     * Authenticates events by their job's secret and applies them in one transaction. Events of unknown jobs, with a
     * wrong secret, or that come too late are dropped and counted; they never fail the others.
     *
     * @return how many were believed
     */
    int apply(List<WrapperEvent> events);
}
