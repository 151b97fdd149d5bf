package org.gelato.ce.perf.scenario;

import java.util.EnumSet;
import java.util.Set;
import org.gelato.ce.perf.load.LoadProtocol;
import org.gelato.ce.perf.site.BatchKind;

/** One replay. Stateless; each run makes a site of its own and removes it. */
public interface Scenario {
    /** The name on the command line. */
    String name();

    /** What is done, in a sentence or two. */
    String what();

    /** What must hold, as text. */
    String holds();

    /** The batch systems it is meaningful on. */
    Set<BatchKind> batches();

    /** The protocols that its clients can speak, the usual one first. */
    default Set<LoadProtocol> protocols() {
        return EnumSet.of(LoadProtocol.CREAM2);
    }

    /** The size that is asked for. */
    int usualJobs();

    /** The fewest jobs that make sense. */
    int fewestJobs();

    /**
     * Runs it, blocking, and writes down what happened. A failure of a job or of a call that the scenario does not expect is an
     * exception; what must hold and does not is a {@link Check}.
     *
     * @throws org.gelato.ce.perf.site.NotPossibleException when this machine cannot
     */
    void run(ScenarioPlan plan, RunRecord protocol);
}
