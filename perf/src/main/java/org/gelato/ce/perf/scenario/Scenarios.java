package org.gelato.ce.perf.scenario;

import java.util.List;

/** All scenarios there are. */
public final class Scenarios {
    /** In the order of the command line's help. */
    public static final List<Scenario> ALL = List.of(
            new RampUp(), new PurgeAll(), new Restart(), new Renew(), new Sustain(), new Peak(), new DrowningLrms());

    private Scenarios() {}
}
