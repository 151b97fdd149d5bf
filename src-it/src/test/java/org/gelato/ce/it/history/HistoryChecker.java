package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.gelato.ce.core.job.JobState;

/** Whether a run of the model explains all that clients saw. Without input or output, and without time. */
final class HistoryChecker {
    private final History history;
    private final List<Violation> violations = new ArrayList<>();
    private final Map<String, Call> registrations = new LinkedHashMap<>();

    private HistoryChecker(History history) {
        this.history = history;
    }

    /** What nothing explains; empty for a history that can be. */
    static List<Violation> check(History history) {
        HistoryChecker checker = new HistoryChecker(CredentialChecker.admitted(history));
        checker.registrations();
        checker.jobs();
        checker.leases();
        checker.strangers();
        checker.refusals();
        checker.violations.addAll(EventChecker.check(checker.history));
        checker.violations.addAll(MessageChecker.check(checker.history));
        checker.violations.addAll(CredentialChecker.check(history));
        return List.copyOf(checker.violations);
    }

    /** The registration of each job; a key that is sent again makes no second job. */
    private void registrations() {
        Map<String, String> byKey = new HashMap<>();
        for (Call call : history.calls()) {
            if (!call.operation().makesJobs() || !call.isConfirmed()) {
                continue;
            }
            String other = byKey.putIfAbsent(call.argument(), call.job());
            if (other != null && !other.equals(call.job())) {
                found(Violation.Kind.DOUBLED, call.job(), call + " and " + other + " were registered by one key");
            }
            registrations.put(call.job(), first(call, call.operation()));
        }
    }

    /** The registration from the first time that its key was sent to the first answer. */
    private Call first(Call answered, Operation operation) {
        List<Call> all = history.calls().stream()
                .filter(c -> c.operation().makesJobs() && c.argument().equals(answered.argument()))
                .toList();
        long begun = all.stream().mapToLong(Call::invoked).min().orElseThrow();
        long ended = all.stream().mapToLong(Call::completed).min().orElseThrow();
        return new Call(
                answered.number(),
                answered.client(),
                answered.owner(),
                operation,
                answered.job(),
                answered.argument(),
                answered.validity(),
                begun,
                ended,
                answered.answer());
    }

    private void jobs() {
        Set<String> all = new TreeSet<>(registrations.keySet());
        history.calls().forEach(call -> {
            all.addAll(call.answer().jobs());
            call.answer().events().forEach(e -> all.add(e.job()));
            call.answer().page().messages().forEach(m -> all.add(m.job()));
        });
        all.addAll(history.runs().keySet());
        for (String job : all) {
            List<Call> calls = callsOn(job);
            JobModel model = new JobModel(
                    mayFail(job, calls),
                    history.endless().contains(job),
                    !registrations.containsKey(job),
                    calls.stream().anyMatch(Call::isMortal));
            JobChecker checker = new JobChecker(job, model, JobChecker.operands(calls), times(calls));
            Optional<Violation> first = checker.firstUnexplained();
            first.ifPresent(violations::add);
            runs(job, calls, first.isPresent() || checker.mayHaveStarted());
            end(job, calls);
            calls.stream()
                    .filter(c -> c.answer().text().equals(Answer.NO_REASON))
                    .findFirst()
                    .ifPresent(c -> found(Violation.Kind.UNEXPLAINED, job, "it failed for no reason: " + c));
            usage(job, calls);
        }
    }

    /** From when on the delegation of its registration may have ended: at any time where it is not known which one that is. */
    private JobChecker.Times times(List<Call> calls) {
        List<Call> mortal = calls.stream().filter(Call::isMortal).toList();
        long end =
                mortal.size() == 1 ? history.ends().getOrDefault(mortal.get(0).delegation(), 0L) : 0;
        return new JobChecker.Times(history.clocks(), end);
    }

    /** All that is about a job, by the time it began: also what its owner was listed. */
    private List<Call> callsOn(String job) {
        List<Call> calls = new ArrayList<>();
        Call registration = registrations.get(job);
        String owner;
        if (registration == null) {
            owner = ownerOfStranger(job);
            calls.addAll(unansweredRegistrations(owner));
        } else {
            owner = registration.owner();
            calls.add(registration);
        }
        boolean leased = calls.stream().anyMatch(c -> !c.lease().isEmpty())
                || history.calls().stream()
                        .anyMatch(c -> c.operation() == Operation.ATTACH && job.equals(c.job()) && c.mayHaveHappened());
        String delegation = registration != null && registration.isMortal() ? registration.delegation() : "";
        for (Call call : history.calls()) {
            boolean renewal = call.operation() == Operation.RENEW
                    && call.delegation().equals(delegation)
                    && !(call.answer().kind() == Answer.Kind.REFUSED
                            && CredentialChecker.isOfDoubtfulProxy(history, call));
            boolean lease =
                    leased && call.operation().isOfLease() && call.owner().equals(owner);
            boolean listed = call.operation() == Operation.LIST
                    && call.owner().equals(owner)
                    && call.answer().kind() == Answer.Kind.JOBS;
            boolean own = call.operation().isOfOneJob()
                    && job.equals(call.job())
                    && call.owner().equals(owner);
            if (listed || own || lease || renewal) {
                calls.add(call);
            }
        }
        return calls;
    }

    /** What was answered of the leases of each owner, also to jobs that name one. */
    private void leases() {
        Map<String, List<Call>> byOwner = new TreeMap<>();
        for (Call call : history.calls()) {
            boolean names = call.operation().makesJobs()
                    && !call.lease().isEmpty()
                    && (call.isConfirmed() || call.answer().kind() == Answer.Kind.UNKNOWN_LEASE);
            if (names || call.operation().isOfLease()) {
                byOwner.computeIfAbsent(call.owner(), o -> new ArrayList<>())
                        .add(names ? first(call, Operation.REGISTER) : call);
            }
        }
        byOwner.values()
                .forEach(calls -> new JobChecker(
                                null,
                                new JobModel(false, false, false, false),
                                JobChecker.operands(calls),
                                times(calls))
                        .firstUnexplained()
                        .ifPresent(violations::add));
    }

    private List<Call> unansweredRegistrations(String owner) {
        Set<String> answered = new TreeSet<>();
        registrations.values().forEach(c -> answered.add(c.argument()));
        history.calls().stream()
                .filter(c -> c.operation().makesJobs() && c.answer().kind() == Answer.Kind.UNKNOWN_LEASE)
                .forEach(c -> answered.add(c.argument()));
        return history.calls().stream()
                .filter(c -> c.operation().makesJobs()
                        && !c.isAnswered()
                        && c.owner().equals(owner)
                        && !answered.contains(c.argument()))
                .toList();
    }

    /** Who was shown a job that no client knows to have registered; empty where nobody was. */
    private String ownerOfStranger(String job) {
        return history.calls().stream()
                .filter(c -> job.equals(c.job())
                        || c.answer().jobs().contains(job)
                        || !c.answer().page().only(job).messages().isEmpty()
                        || c.answer().events().stream().anyMatch(e -> e.job().equals(job)))
                .map(Call::owner)
                .findFirst()
                .orElse("");
    }

    /** Whether the batch system may have forgotten it, or ended it. */
    private boolean mayFail(String job, List<Call> calls) {
        long first = calls.stream().mapToLong(Call::invoked).min().orElse(0);
        return history.faults().stream()
                .anyMatch(f ->
                        (f.kind().forgets() && f.until() >= first) || f.ended().contains(job));
    }

    /** How often the payload began. */
    private void runs(String job, List<Call> calls, boolean mayHaveStarted) {
        int runs = history.runs(job);
        if (runs > 1) {
            found(Violation.Kind.DOUBLED, job, "its payload began " + runs + " times");
        }
        if (runs > 0 && !mayHaveStarted) {
            found(Violation.Kind.DOUBLED, job, "its payload began, and no start took effect");
        }
        boolean done = calls.stream().anyMatch(c -> isOnly(c.answer(), JobState.DONE_OK))
                || history.calls().stream()
                        .flatMap(c -> c.answer().events().stream())
                        .anyMatch(e -> e.job().equals(job) && e.state() == JobState.DONE_OK);
        if (done && runs == 0) {
            found(Violation.Kind.LOST, job, "it was DONE-OK, and its payload never began");
        }
    }

    private static boolean isOnly(Answer answer, JobState state) {
        return answer.kind() == Answer.Kind.STATE && answer.states().equals(Set.of(state));
    }

    /** Where a job is when all was followed to its end. */
    private void end(String job, List<Call> calls) {
        Optional<Call> last = lastStatus(calls);
        if (last.isEmpty() || last.get().answer().kind() != Answer.Kind.STATE) {
            return;
        }
        boolean started = calls.stream()
                .anyMatch(c ->
                        c.isConfirmed() && (c.operation() == Operation.START || c.operation() == Operation.SUBMIT));
        if (started && !last.get().answer().isFinal()) {
            found(Violation.Kind.LOST, job, "it was started and has not ended: " + last.get());
        }
        boolean purged = calls.stream()
                .anyMatch(
                        c -> c.isConfirmed() && (c.operation() == Operation.PURGE || c.operation() == Operation.CLEAN));
        if (purged) {
            found(Violation.Kind.NOT_PURGED, job, "its purge was confirmed: " + last.get());
        }
    }

    /** The last answer after the history was closed. */
    private Optional<Call> lastStatus(List<Call> calls) {
        return calls.stream()
                .filter(c -> c.operation() == Operation.STATUS && c.isAnswered() && c.invoked() >= history.closed())
                .reduce((a, b) -> b);
    }

    private void usage(String job, List<Call> calls) {
        if (history.usage() == null) {
            return;
        }
        History.Usage usage = history.usage().get(job);
        Set<JobState> end = lastStatus(calls)
                .map(Call::answer)
                .filter(Answer::isFinal)
                .map(Answer::states)
                .orElse(Set.of());
        // the record outlives the job's purge
        if (usage == null && calls.stream().anyMatch(c -> c.answer().isFinal())) {
            found(Violation.Kind.USAGE, job, "it ended, and has no usage record");
        } else if (usage != null && !end.isEmpty() && !end.contains(usage.state())) {
            found(Violation.Kind.USAGE, job, "it ended " + end + ", its usage record says " + usage.state());
        } else if (usage != null && history.runs(job) > 0 && !usage.ran()) {
            found(Violation.Kind.USAGE, job, "it ran, and its usage record says that it did not");
        } else if (usage != null && usage.state() == JobState.DONE_OK && history.runs(job) == 0) {
            found(Violation.Kind.USAGE, job, "it did not run, and its usage record says DONE-OK");
        }
    }

    /** Jobs that no registration which was answered made: at most one for each that was not. */
    private void strangers() {
        Map<String, Set<String>> byOwner = new LinkedHashMap<>();
        for (Call call : history.calls()) {
            Collection<String> shown = new TreeSet<>(call.answer().jobs());
            call.answer().events().forEach(e -> shown.add(e.job()));
            call.answer().page().messages().forEach(m -> shown.add(m.job()));
            for (String job : shown) {
                Call registration = registrations.get(job);
                if (registration == null) {
                    byOwner.computeIfAbsent(call.owner(), o -> new TreeSet<>()).add(job);
                } else if (!registration.owner().equals(call.owner())) {
                    found(Violation.Kind.STRANGER, job, "it is another owner's: " + call);
                }
            }
        }
        byOwner.forEach((owner, jobs) -> {
            long keys = unansweredRegistrations(owner).stream()
                    .map(Call::argument)
                    .distinct()
                    .count();
            long submissions = unansweredRegistrations(owner).stream()
                    .filter(c -> c.operation() == Operation.SUBMIT)
                    .map(Call::argument)
                    .distinct()
                    .count();
            long ran = jobs.stream().filter(job -> history.runs(job) > 0).count();
            if (jobs.size() > keys) {
                found(
                        Violation.Kind.STRANGER,
                        jobs.iterator().next(),
                        jobs + " are known to no client of " + owner + ", which has " + keys
                                + " registrations without an answer");
            } else if (ran > submissions) {
                found(
                        Violation.Kind.DOUBLED,
                        jobs.iterator().next(),
                        ran + " of " + jobs + " ran, and " + owner + " has " + submissions
                                + " submissions without an answer");
            }
        });
        history.runs().keySet().stream()
                .filter(job -> !registrations.containsKey(job)
                        && byOwner.values().stream().noneMatch(jobs -> jobs.contains(job)))
                .filter(job -> ownerOfStranger(job).isEmpty())
                .forEach(job -> found(Violation.Kind.STRANGER, job, "its payload began, and no client was shown it"));
    }

    /** What is asked for is allowed, but for the jobs of others. */
    private void refusals() {
        history.calls().stream()
                .filter(c -> c.operation().isOfOneJob()
                        && registrations.containsKey(c.job())
                        && !registrations.get(c.job()).owner().equals(c.owner())
                        && c.isAnswered()
                        && c.answer().kind() != Answer.Kind.UNKNOWN_JOB)
                .forEach(c -> found(Violation.Kind.STRANGER, c.job(), "it is another owner's: " + c));
        history.calls().stream()
                .filter(c -> c.answer().kind() == Answer.Kind.REFUSED && !CredentialChecker.mayBeRefused(history, c))
                .forEach(c -> found(Violation.Kind.REFUSED, c.job(), c.toString()));
    }

    private void found(Violation.Kind kind, String job, String text) {
        violations.add(new Violation(kind, job, text));
    }
}
