package org.gelato.ce.it.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Looks for an order of the operations on one job in which the model gives every answer (linearizability, as Wing and Gong
 * search it, with all orders at once): each operation takes effect at one moment between its beginning and its end, one
 * without an answer at any moment after its beginning or never.
 *
 * <p>Of operations of one kind without answers the first stands for all: it may take effect at every moment at which a later
 * one could, and each kind has but one effect. Operations on leases and delegations can be undone, so theirs may happen any number
 * of times.
 */
final class JobChecker {
    private final String job;
    private final JobModel model;
    private final List<Operand> operands;
    private final Times times;
    private final Operand[] underWay = new Operand[Long.SIZE];
    private Set<Config> configs = new LinkedHashSet<>();
    private Set<Config> before = Set.of();
    /** Up to where all that can be is known. */
    private long known;

    /** What can be now: see {@link JobModel.Now}. */
    private JobModel.Now present;

    /**
     * What depends on time.
     *
     * @param clocks moves of clocks
     * @param end from which position on the job's delegation may have ended
     */
    record Times(List<History.Fault> clocks, long end) {
        private JobModel.Now between(long first, long last) {
            boolean wrong = clocks.stream().anyMatch(f -> f.from() < last && first < f.until());
            return new JobModel.Now(wrong, wrong || last >= end);
        }
    }

    /**
     * An operation as the model has it: a submission is a registration and a start.
     *
     * @param answer what was answered; null for an operation that may take effect or not
     */
    record Operand(Call call, Operation operation, Answer answer) {}

    /** A state, and which places of {@link #underWay} have operations that have not taken effect, as bits. */
    private record Config(JobModel.State state, long open) {}

    /** @param operands by the time they began */
    JobChecker(String job, JobModel model, List<Operand> operands, Times times) {
        this.times = times;
        this.job = job;
        this.model = model;
        this.operands = operands;
    }

    /** The operands of the calls on one job. */
    static List<Operand> operands(List<Call> calls) {
        List<Operand> all = new ArrayList<>();
        Set<String> unanswered = new HashSet<>();
        for (Call call : calls) {
            for (Operation operation : steps(call)) {
                if (call.isAnswered()) {
                    all.add(new Operand(call, operation, call.answer()));
                } else if (!operation.isRead()
                        && operation != Operation.RESUME
                        && unanswered.add(effect(operation, call))) {
                    all.add(new Operand(call, operation, null));
                }
            }
        }
        return all;
    }

    private static String effect(Operation operation, Call call) {
        boolean leased = isOfLeases(operation) || operation == Operation.REGISTER;
        return leased ? operation + " " + call.lease() : operation.toString();
    }

    private static boolean isOfLeases(Operation operation) {
        return operation.isOfLease() || operation == Operation.ATTACH || operation == Operation.DETACH;
    }

    private static List<Operation> steps(Call call) {
        if (call.operation() == Operation.RENEW && call.mayHaveHappened()) {
            return List.of(Operation.ASK, Operation.RENEW);
        }
        return call.operation() == Operation.SUBMIT
                ? List.of(Operation.REGISTER, Operation.START)
                : List.of(call.operation());
    }

    /** The first answer that no order explains. */
    Optional<Violation> firstUnexplained() {
        configs.add(new Config(model.beginning(), 0));
        for (Moment moment : moments()) {
            if (moment.begins()) {
                begin(moment.operand());
                continue;
            }
            int place = place(moment.operand());
            before = configs;
            present = times.between(known, moment.at());
            known = moment.at();
            configs = closure(configs);
            configs.removeIf(c -> (c.open() & 1L << place) != 0);
            if (configs.isEmpty()) {
                return Optional.of(violation(moment.operand()));
            }
            underWay[place] = null;
        }
        present = times.between(known, Call.NEVER);
        configs = closure(configs);
        return Optional.empty();
    }

    /** Whether a start took effect in any of the orders, after {@link #firstUnexplained} found none that lies. */
    boolean mayHaveStarted() {
        return configs.stream().anyMatch(c -> c.state().started());
    }

    private record Moment(long at, boolean begins, Operand operand) {}

    private List<Moment> moments() {
        List<Moment> moments = new ArrayList<>();
        for (Operand operand : operands) {
            moments.add(new Moment(operand.call().invoked(), true, operand));
            if (operand.answer() != null) {
                moments.add(new Moment(operand.call().completed(), false, operand));
            }
        }
        moments.sort(Comparator.comparingLong(Moment::at));
        return moments;
    }

    private void begin(Operand operand) {
        int place = 0;
        while (underWay[place] != null) {
            place++;
        }
        underWay[place] = operand;
        long bit = 1L << place;
        configs = configs.stream()
                .map(c -> new Config(c.state(), c.open() | bit))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private int place(Operand operand) {
        int place = 0;
        while (!operand.equals(underWay[place])) {
            place++;
        }
        return place;
    }

    /** All that can be by now: with each move of the job's own, and each operation under way that takes effect. */
    private Set<Config> closure(Set<Config> from) {
        Set<Config> all = new LinkedHashSet<>(from);
        Deque<Config> left = new ArrayDeque<>(from);
        while (!left.isEmpty()) {
            Config c = left.remove();
            List<Config> next = new ArrayList<>();
            model.moves(c.state(), present).forEach(s -> next.add(new Config(s, c.open())));
            for (int place = 0; place < underWay.length; place++) {
                long bit = 1L << place;
                if ((c.open() & bit) != 0) {
                    Operand operand = underWay[place];
                    boolean stays = operand.answer() == null
                            && (isOfLeases(operand.operation())
                                    || operand.operation().isOfDelegation());
                    effect(c.state(), operand)
                            .ifPresent(s -> next.add(new Config(s, stays ? c.open() : c.open() & ~bit)));
                }
            }
            next.stream().filter(all::add).forEach(left::add);
        }
        return all;
    }

    private Optional<JobModel.State> effect(JobModel.State state, Operand operand) {
        return operand.answer() == null
                ? model.accepted(state, operand.operation(), operand.call().lease())
                : model.after(state, operand, job);
    }

    private Violation violation(Operand operand) {
        boolean present = closure(before).stream().allMatch(c -> c.state().phase() == JobModel.Phase.PRESENT);
        boolean absent = operand.answer().kind() == Answer.Kind.UNKNOWN_JOB
                || (operand.answer().kind() == Answer.Kind.JOBS
                        && !operand.answer().jobs().contains(job));
        Set<String> states = new TreeSet<>();
        before.forEach(c -> states.add(c.state().toString()));
        String answer = operand.answer().kind() == Answer.Kind.JOBS
                ? (absent ? "a list without it" : "a list with it")
                : operand.answer().toString();
        return new Violation(
                present && absent ? Violation.Kind.LOST : Violation.Kind.UNEXPLAINED,
                job,
                answer + " to #" + operand.call().number() + " "
                        + operand.call().operation() + "; when the answer before came it was "
                        + String.join(", ", states));
    }
}
