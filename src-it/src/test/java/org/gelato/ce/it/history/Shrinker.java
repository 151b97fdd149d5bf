package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes a history with a violation small. Only what can be left out is: other jobs, and calls without which a history is
 * never harder to explain, so that what is left is a lie of the same CE and not one of the shrinking.
 */
final class Shrinker {
    private final Violation violation;

    private Shrinker(Violation violation) {
        this.violation = violation;
    }

    /** A part of the history that has a violation of the same kind and job; the history itself where nothing can go. */
    static History shrink(History history, Violation violation) {
        return new Shrinker(violation).shrink(history);
    }

    private History shrink(History history) {
        History small = history;
        if (violation.job() != null) {
            History own = ofJob(history, violation.job());
            small = violates(own) ? own : history;
        }
        for (int size = Math.max(1, small.calls().size() / 2); size >= 1; size /= 2) {
            small = without(small, size);
        }
        return small;
    }

    /** Leaves out runs of so many calls, from the last one on. */
    private History without(History history, int size) {
        History small = history;
        for (int end = history.calls().size(); end > 0; end -= size) {
            List<Call> left = new ArrayList<>(small.calls());
            List<Call> some = left.subList(Math.max(0, end - size), Math.min(end, left.size()));
            History closed = small;
            if (some.removeIf(call -> isConstraint(call, closed))) {
                History less = small.with(left);
                small = violates(less) ? less : small;
            }
        }
        return small;
    }

    private boolean violates(History history) {
        return HistoryChecker.check(history).stream()
                .anyMatch(v -> v.kind() == violation.kind() && Objects.equals(v.job(), violation.job()));
    }

    /** Whether it says something that must be explained, and explains nothing. */
    private static boolean isConstraint(Call call, History history) {
        if (call.operation() == Operation.EVENTS || call.operation() == Operation.MESSAGES) {
            // what was read last stands for all there are
            return call.invoked() < history.closed();
        }
        boolean changesNoJob = call.operation().isRead()
                || call.operation() == Operation.DELEGATE
                // one without an answer may explain an end
                || (call.operation() == Operation.RENEW && call.isAnswered());
        return changesNoJob || !call.mayHaveHappened();
    }

    /** The calls on a job, with the rest of what they say left out. */
    private static History ofJob(History history, String job) {
        Set<String> owners = new TreeSet<>();
        boolean registered = false;
        for (Call call : history.calls()) {
            boolean shown = call.answer().jobs().contains(job)
                    || !call.answer().page().only(job).messages().isEmpty()
                    || call.answer().events().stream().anyMatch(e -> e.job().equals(job));
            if (job.equals(call.job()) || shown) {
                owners.add(call.owner());
            }
            registered |= call.operation().makesJobs() && job.equals(call.job());
        }
        Set<String> delegations = new TreeSet<>();
        history.calls().stream()
                .filter(c -> c.isMortal() && job.equals(c.job()))
                .forEach(c -> delegations.add(c.delegation()));
        List<Call> calls = new ArrayList<>();
        for (Call call : history.calls()) {
            boolean maker = !registered && call.operation().makesJobs() && !call.isAnswered();
            boolean read = call.operation() == Operation.LIST
                    || call.operation() == Operation.EVENTS
                    || call.operation() == Operation.MESSAGES
                    || call.operation().isOfLease();
            if (job.equals(call.job())
                    || (owners.contains(call.owner()) && (maker || (read && call.job() == null)))
                    || (call.operation() == Operation.RENEW && delegations.contains(call.delegation()))
                    || sameKey(history, call, job)) {
                calls.add(only(call, job));
            }
        }
        return new History(
                history.seed(),
                calls,
                history.faults(),
                part(history.runs(), job),
                history.endless().contains(job) ? Set.of(job) : Set.of(),
                part(history.said(), job),
                history.authorities(),
                history.ends(),
                history.usage() == null ? null : part(history.usage(), job),
                history.closed());
    }

    private static boolean sameKey(History history, Call call, String job) {
        return call.operation().makesJobs()
                && history.calls().stream()
                        .anyMatch(c -> c.operation().makesJobs()
                                && c.argument().equals(call.argument())
                                && job.equals(c.job()));
    }

    private static <T> Map<String, T> part(Map<String, T> all, String job) {
        return all.containsKey(job) ? Map.of(job, all.get(job)) : Map.of();
    }

    private static Call only(Call call, String job) {
        Answer all = call.answer();
        Answer answer = new Answer(
                all.kind(),
                all.text(),
                all.states(),
                all.jobs().stream().filter(job::equals).toList(),
                all.events().stream().filter(e -> e.job().equals(job)).collect(Collectors.toList()),
                all.page().only(job));
        return new Call(
                call.number(),
                call.client(),
                call.owner(),
                call.operation(),
                call.job(),
                call.argument(),
                call.validity(),
                call.invoked(),
                call.completed(),
                answer);
    }
}
