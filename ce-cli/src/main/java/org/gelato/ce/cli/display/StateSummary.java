package org.gelato.ce.cli.display;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.context.States;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.StatusReport;

/** Jobs by state: how many, since when the first of them, and the reason that most of them have. */
public final class StateSummary {
    private StateSummary() {}

    /** One state. */
    private static final class Group {
        private final Map<String, Integer> reasons = new HashMap<>();
        private int jobs;
        private Instant oldest;

        void add(StatusReport status) {
            jobs++;
            if (status.time() != null && (oldest == null || status.time().isBefore(oldest))) {
                oldest = status.time();
            }
            reason(status).ifPresent(reason -> reasons.merge(reason, 1, Integer::sum));
        }

        String mostOften() {
            return reasons.entrySet().stream()
                    .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .map(e -> e.getKey() + (jobs == 1 ? "" : " (" + e.getValue() + ")"))
                    .orElse("");
        }
    }

    private static Optional<String> reason(StatusReport status) {
        return status.waits()
                .or(() -> Optional.ofNullable(status.failureReason()).filter(Lines::known))
                .map(Printable::line);
    }

    /** Prints a line for each state that a job is in, in the order in which jobs go through them. */
    public static void print(PrintStream out, Collection<StatusReport> states, Instant now) {
        Map<String, Group> groups = new LinkedHashMap<>();
        States.IN_ORDER.forEach(name -> groups.put(name, new Group()));
        states.forEach(status ->
                groups.computeIfAbsent(status.name(), name -> new Group()).add(status));
        groups.values().removeIf(group -> group.jobs == 0);
        out.printf("%-15s %7s  %-7s %s%n", "STATE", "JOBS", "OLDEST", "MOST OFTEN BECAUSE");
        groups.forEach((name, group) -> out.println(String.format(
                        "%-15s %7d  %-7s %s",
                        Printable.line(name),
                        group.jobs,
                        group.oldest == null ? "-" : AgeText.of(Duration.between(group.oldest, now)),
                        group.mostOften())
                .stripTrailing()));
    }
}
