package org.gelato.ce.it.history;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.history.nemesis.Authority;
import org.gelato.ce.it.history.nemesis.FaultKind;
import org.gelato.ce.it.history.nemesis.FaultLog;

/**
 * What clients saw of one run, and what jobs and batch system left behind.
 *
 * @param calls by the time they began
 * @param faults that were made, in order
 * @param runs how often the payload of each job began
 * @param endless jobs whose payload does not end by itself
 * @param reported how many messages the payload of each job sends until its end, where it sends some
 * @param authorities who vouches for each owner; for one that is not named the first CA
 * @param ends from which position on delegated proxies may have ended, by delegation; one that is not named, at any time
 * @param usage what was accounted of each ended job; null where it was not read
 * @param closed position from which on everything was followed to its end; {@link Call#NEVER} where nothing was
 */
record History(
        long seed,
        List<Call> calls,
        List<Fault> faults,
        Map<String, Integer> runs,
        Set<String> endless,
        Map<String, Integer> said,
        Map<String, Authority> authorities,
        Map<String, Long> ends,
        Map<String, Usage> usage,
        long closed) {
    History {
        calls = List.copyOf(calls);
        faults = List.copyOf(faults);
        runs = Map.copyOf(runs);
        endless = Set.copyOf(endless);
        said = Map.copyOf(said);
        authorities = Map.copyOf(authorities);
        ends = Map.copyOf(ends);
        usage = usage == null ? null : Map.copyOf(usage);
    }

    /**
     * A fault that was made.
     *
     * @param ended jobs that the batch system itself may have ended by it
     * @param away when an authority was certainly not believed; null for never
     */
    record Fault(FaultKind kind, long from, long until, Set<String> ended, FaultLog.Away away) {
        /** Whether it may have lasted at a moment between two positions. */
        boolean overlaps(long first, long last) {
            return from <= last && first <= until;
        }

        boolean movesClock() {
            return kind == FaultKind.CE_CLOCK_MOVED;
        }

        private String text() {
            return kind + " [" + from + "," + until + "]" + (ended.isEmpty() ? "" : " " + new TreeSet<>(ended))
                    + (away == null ? "" : " " + away);
        }
    }

    /**
     * The usage record of a job.
     *
     * @param ran whether it says that the job ran
     */
    record Usage(JobState state, boolean ran) {}

    History with(List<Call> some) {
        return new History(seed, some, faults, runs, endless, said, authorities, ends, usage, closed);
    }

    Authority authority(String owner) {
        return authorities.getOrDefault(owner, Authority.CA);
    }

    /** The moves of clocks. */
    List<Fault> clocks() {
        return faults.stream().filter(Fault::movesClock).toList();
    }

    int runs(String job) {
        return runs.getOrDefault(job, 0);
    }

    /** All of it for people: violations, faults, then the calls of each job, then those of none. */
    String text(List<Violation> violations) {
        StringBuilder text = new StringBuilder("-Dgelato.history.seed=" + seed + "\n" + authorities + "\n\n");
        violations.forEach(v -> text.append(v).append('\n'));
        text.append('\n').append(text()).append("\nclosed at ").append(closed);
        Set<String> jobs = new TreeSet<>();
        calls.stream().filter(c -> c.job() != null).forEach(c -> jobs.add(c.job()));
        jobs.addAll(runs.keySet());
        for (String job : jobs) {
            text.append("\n\n").append(job).append(facts(job));
            calls.stream()
                    .filter(c -> job.equals(c.job()))
                    .forEach(c -> text.append("\n  ").append(c));
        }
        return text.append('\n').toString();
    }

    private String facts(String job) {
        Usage used = usage == null ? null : usage.get(job);
        return ": runs " + runs(job) + (endless.contains(job) ? ", endless" : "")
                + (said.containsKey(job) ? ", sends " + said.get(job) : "")
                + (used == null ? "" : ", accounted " + used);
    }

    /** The faults and calls in order, for people. */
    String text() {
        return faults.stream().map(f -> f.text() + "\n").collect(Collectors.joining())
                + calls.stream().map(c -> c + "\n").collect(Collectors.joining());
    }
}
