package org.gelato.ce.perf.scenario;

import org.gelato.ce.perf.load.LoadProtocol;
import org.gelato.ce.perf.site.BatchKind;

/**
 * What is requested.
 *
 * @param jobs the scenario's size, see {@link Scenario#what}
 * @param full with files of the size the study had
 * @param protocol what the clients speak
 */
public record ScenarioPlan(BatchKind batch, int jobs, boolean full, LoadProtocol protocol) {
    /** The size this machine can take, over CREAM2. */
    public ScenarioPlan(BatchKind batch, int jobs) {
        this(batch, jobs, false, LoadProtocol.CREAM2);
    }

    /** The same over another protocol. */
    public ScenarioPlan over(LoadProtocol other) {
        return new ScenarioPlan(batch, jobs, full, other);
    }

    /** A part of a number, at least the least: the sizes of the report shrink with the number of jobs. */
    static int part(int of, int divisor, int least, int most) {
        return Math.max(least, Math.min(most, of / divisor));
    }
}
