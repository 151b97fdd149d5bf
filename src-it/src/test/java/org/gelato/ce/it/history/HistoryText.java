package org.gelato.ce.it.history;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A history for people. */
final class HistoryText {
    private HistoryText() {}

    /** All of it: violations, faults, then the calls of each job, then those of none. */
    static String of(History history, List<Violation> violations) {
        StringBuilder text = new StringBuilder("-Dgelato.history.seed=" + history.seed() + "\n\n");
        violations.forEach(v -> text.append(v).append('\n'));
        text.append('\n').append(small(history)).append("\nclosed at ").append(history.closed());
        Set<String> jobs = new TreeSet<>();
        history.calls().stream().filter(c -> c.job() != null).forEach(c -> jobs.add(c.job()));
        jobs.addAll(history.runs().keySet());
        for (String job : jobs) {
            text.append("\n\n").append(job).append(facts(history, job));
            history.calls().stream()
                    .filter(c -> job.equals(c.job()))
                    .forEach(c -> text.append("\n  ").append(c));
        }
        return text.append('\n').toString();
    }

    private static String facts(History history, String job) {
        History.Usage usage = history.usage() == null ? null : history.usage().get(job);
        return ": runs " + history.runs(job) + (history.endless().contains(job) ? ", endless" : "")
                + (usage == null ? "" : ", accounted " + usage);
    }

    /** The faults and calls in order. */
    static String small(History history) {
        return history.faults().stream()
                        .map(f -> f.name() + " [" + f.from() + "," + f.until() + "]\n")
                        .collect(Collectors.joining())
                + history.calls().stream().map(c -> c + "\n").collect(Collectors.joining());
    }
}
