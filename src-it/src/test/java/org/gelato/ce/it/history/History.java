package org.gelato.ce.it.history;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.job.JobState;

/**
 * What clients saw of one run, and what jobs and batch system left behind.
 *
 * @param calls by the time they began
 * @param faults that were made, in order
 * @param runs how often the payload of each job began
 * @param endless jobs whose payload does not end by itself
 * @param usage what was accounted of each ended job; null where it was not read
 * @param closed position from which on everything was followed to its end; {@link Call#NEVER} where nothing was
 */
record History(
        long seed,
        List<Call> calls,
        List<Fault> faults,
        Map<String, Integer> runs,
        Set<String> endless,
        Map<String, Usage> usage,
        long closed) {
    History {
        calls = List.copyOf(calls);
        faults = List.copyOf(faults);
        runs = Map.copyOf(runs);
        endless = Set.copyOf(endless);
        usage = usage == null ? null : Map.copyOf(usage);
    }

    /**
     * A fault that was made.
     *
     * @param forgets whether the batch system may have forgotten jobs by it
     */
    record Fault(String name, long from, long until, boolean forgets) {}

    /**
     * The usage record of a job.
     *
     * @param ran whether it says that the job ran
     */
    record Usage(JobState state, boolean ran) {}

    History with(List<Call> some) {
        return new History(seed, some, faults, runs, endless, usage, closed);
    }

    int runs(String job) {
        return runs.getOrDefault(job, 0);
    }
}
