package org.gelato.ce.core.event;

import java.util.List;
import java.util.OptionalLong;

/** The ids of events that are committed, and the fence that shows when none is on its way. */
interface EventIds {
    /** From one id to the next. */
    long step();

    /** Those above an id, in order, as many as {@code count} at most. */
    List<Long> after(long id, int count);

    /**
     * The largest id in a moment in which no transaction was open that wrote events: no smaller one can appear any more.
     *
     * @param insist false: new writers pass while this waits, so it may wait in vain where there is always one; true: they
     *     wait, and some are rolled back to be run again
     * @return 0 where there is no event; empty when a writer did not end within a second
     */
    OptionalLong last(boolean insist);
}
