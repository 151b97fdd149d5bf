package org.gelato.ce.perf.scenario;

import java.util.List;

/** All scenarios there are. */
public final class Scenarios {
    /** In the order of the command line's help. */
    public static final List<Scenario> ALL = List.of(
            new RampUp(),
            new AcceptanceCosts(),
            new EndToEnd(),
            new Sustain(),
            new PurgeAll(),
            new Renew(),
            new Restart(),
            new Peak(),
            new ManyUsers(),
            new DrowningLrms(),
            new ArcStudy(),
            new ArcPeer(),
            new Factory(),
            new MessagesOfRunningJobs());

    private Scenarios() {}
}
