package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.core.job.JobState;

/**
 * One job as clients may know it, operation after operation (docs/developer/protocol/behaviour.md sections 1, 2 and 7), with the
 * leases of its owner and the delegation that it has. Moves of its own are those of the batch system, of commands that were accepted,
 * and of leases and delegations that end.
 *
 * @param forgetful whether the batch system may forget the job, or end it itself
 * @param endless whether its payload ends only by force
 * @param revocable whether its registration was not confirmed: then the CE may have taken the job back
 * @param mortal whether its delegation ends within the history, and may end the job unless it is renewed
 */
record JobModel(boolean forgetful, boolean endless, boolean revocable, boolean mortal) {
    private static final Set<JobState> CANCELLABLE =
            EnumSet.of(JobState.REGISTERED, JobState.IDLE, JobState.RUNNING, JobState.REALLY_RUNNING, JobState.HELD);
    private static final Set<JobState> SUSPENDABLE =
            EnumSet.of(JobState.IDLE, JobState.RUNNING, JobState.REALLY_RUNNING);

    enum Phase {
        ABSENT,
        PRESENT,
        GONE
    }

    /** How long a lease runs. One that is unknown was never made, or was deleted. */
    enum Term {
        BRIEF,
        LONG,
        /** It ran out: clients find it no more, and a renewal gives it its jobs back. */
        OUT
    }

    /**
     * The leases of the job's owner.
     *
     * @param bond the one that the job has, or lost when it ran out; empty for none
     */
    record Leases(String bond, Map<String, Term> terms) {
        static final Leases NONE = new Leases("", Map.of());

        Leases {
            terms = Map.copyOf(terms);
        }

        private boolean isLive(String lease) {
            return terms.get(lease) == Term.BRIEF || terms.get(lease) == Term.LONG;
        }

        private Leases with(String lease, Term term) {
            Map<String, Term> next = new HashMap<>(terms);
            next.put(lease, term);
            return new Leases(bond, next);
        }

        private Leases without(String lease) {
            Map<String, Term> next = new HashMap<>(terms);
            next.remove(lease);
            return new Leases(bond.equals(lease) ? "" : bond, next);
        }

        private Leases bound(String lease) {
            return new Leases(lease, terms);
        }

        /** After an operation on a lease that was accepted; empty where it would have been refused. */
        private Optional<Leases> after(Operation operation, String lease) {
            return switch (operation) {
                case LEASE_BRIEFLY -> Optional.of(with(lease, Term.BRIEF));
                case LEASE_LONG -> Optional.of(with(lease, Term.LONG));
                default -> isLive(lease) ? Optional.of(without(lease)) : Optional.empty();
            };
        }

        private boolean isBondOut() {
            return terms.get(bond) == Term.OUT;
        }
    }

    /**
     * What the time permits.
     *
     * @param wrongClock whether a clock may be wrong: what it has ended may be there again
     * @param over whether the delegation may have ended
     */
    record Now(boolean wrongClock, boolean over) {}

    /** How far a delegation is. */
    enum Stage {
        LASTING,
        BRIEF,
        /** It has ended, and can be renewed as long as it is not removed. */
        OVER,
        /** Removed, with its jobs cancelled. */
        REMOVED
    }

    /**
     * The delegation of the job.
     *
     * @param asked whether there is a request for its renewal, which outlives it
     * @param doomed whether the job's own copy may have ended
     */
    record Delegated(Stage stage, boolean asked, boolean doomed) {
        private static final Delegated LASTING = new Delegated(Stage.LASTING, false, false);
        private static final Delegated BRIEF = new Delegated(Stage.BRIEF, false, false);

        private Delegated to(Stage next) {
            return new Delegated(next, asked, doomed);
        }

        /** What may become of it by itself. */
        private List<Delegated> moves(boolean over) {
            return switch (stage) {
                case BRIEF -> over ? List.of(to(Stage.OVER)) : List.of();
                case OVER -> List.of(to(Stage.REMOVED), doom());
                case REMOVED -> List.of(doom());
                case LASTING -> List.of();
            };
        }

        private Delegated doom() {
            return new Delegated(stage, asked, true);
        }

        /** Asked for a renewal; empty where that is refused. */
        private Optional<Delegated> ask() {
            return stage == Stage.REMOVED ? Optional.empty() : Optional.of(new Delegated(stage, true, doomed));
        }

        /** Renewed, as it was asked for; one that was removed meanwhile is made anew, when its jobs are cancelled. */
        private Optional<Delegated> renewed() {
            return asked ? Optional.of(new Delegated(Stage.LASTING, false, doomed)) : Optional.empty();
        }
    }

    /**
     * A state of the model.
     *
     * @param state REGISTERED where the job is not present
     * @param started whether a start took effect
     * @param cancel whether an accepted cancel, or that of a lease, may still take effect
     * @param hold whether a suspend was accepted
     * @param purge whether a purge was accepted
     */
    record State(
            Phase phase,
            JobState state,
            boolean started,
            boolean cancel,
            boolean hold,
            boolean purge,
            Leases leases,
            Delegated delegated) {

        private State to(JobState next) {
            return new State(phase, next, started, cancel, hold, purge, leases, delegated);
        }

        private State gone() {
            return new State(
                    Phase.GONE, JobState.REGISTERED, started, false, false, false, leases.bound(""), delegated);
        }

        private State with(Leases next) {
            return new State(phase, state, started, cancel, hold, purge, next, delegated);
        }

        private State with(Delegated next) {
            return new State(phase, state, started, cancel, hold, purge, leases, next);
        }

        private State cancelled() {
            return new State(phase, state, started, true, hold, purge, leases, delegated);
        }

        private State held() {
            return new State(phase, state, started, cancel, true, purge, leases, delegated);
        }

        private State purged() {
            return new State(phase, state, started, cancel, hold, true, leases, delegated);
        }

        @Override
        public String toString() {
            String words = phase == Phase.PRESENT
                    ? state.wireName() + (cancel ? "+cancel" : "") + (hold ? "+suspend" : "") + (purge ? "+purge" : "")
                    : phase.toString();
            String bond = leases.bond().isEmpty() ? "" : " with " + leases.bond();
            String proxy = delegated.equals(Delegated.LASTING) ? "" : " by " + delegated.stage();
            return words + bond + proxy + (leases.terms().isEmpty() ? "" : " " + new TreeMap<>(leases.terms()));
        }
    }

    /** Before all operations. */
    State beginning() {
        return new State(
                Phase.ABSENT,
                JobState.REGISTERED,
                false,
                false,
                false,
                false,
                Leases.NONE,
                mortal ? Delegated.BRIEF : Delegated.LASTING);
    }

    /** What may become of a job without a further request. */
    List<State> moves(State s, Now now) {
        List<State> moves = new ArrayList<>();
        s.leases().terms().forEach((lease, term) -> {
            if (term == Term.BRIEF) {
                moves.add(s.with(s.leases().with(lease, Term.OUT)));
            } else if (term == Term.OUT && now.wrongClock()) {
                // for a clock that was ahead
                moves.add(s.with(s.leases().with(lease, Term.BRIEF)));
            }
        });
        s.delegated().moves(now.over()).forEach(next -> moves.add(s.with(next)));
        if (s.phase() != Phase.PRESENT) {
            return moves;
        }
        for (JobState next : JobState.values()) {
            if (canMove(s, next)) {
                moves.add(s.to(next));
            }
        }
        // one that is not started is cancelled by its lease when it is
        boolean ends = s.leases().isBondOut() || s.delegated().stage() == Stage.REMOVED;
        if (ends && s.state() != JobState.REGISTERED && !s.state().isFinal()) {
            moves.add(s.cancelled());
        }
        if ((s.purge() && isPurgeable(s)) || (revocable && s.state() == JobState.REGISTERED)) {
            moves.add(s.gone());
        }
        return moves;
    }

    private boolean canMove(State s, JobState next) {
        // one that is not started ends with its delegation alone
        boolean may = s.state() != JobState.REGISTERED
                || (s.delegated().stage() == Stage.REMOVED && next == JobState.CANCELLED);
        return may
                && follows(s.state(), next)
                && switch (next) {
                    case CANCELLED -> s.cancel() || s.state() == JobState.REGISTERED;
                    case DONE_FAILED -> forgetful || s.delegated().doomed();
                    case DONE_OK -> !endless;
                    case HELD -> s.hold();
                    case ABORTED -> s.delegated().doomed();
                    default -> true;
                };
    }

    /** Whether a job may be in one state and, with nothing in between that has an event, in another one next. */
    static boolean follows(JobState from, JobState to) {
        return switch (from) {
            case REGISTERED -> to == JobState.PENDING || to == JobState.CANCELLED;
            case PENDING, IDLE, RUNNING, REALLY_RUNNING -> to.code() > from.code() && to != JobState.REGISTERED;
            case HELD -> to != JobState.HELD && to != JobState.REGISTERED && to != JobState.PENDING;
            // an end that the batch system corrects, once
            case DONE_OK -> to == JobState.CANCELLED || to == JobState.DONE_FAILED;
            case DONE_FAILED -> to == JobState.CANCELLED;
            case CANCELLED, ABORTED -> false;
        };
    }

    private static boolean isPurgeable(State s) {
        return s.state().isFinal() || s.state() == JobState.REGISTERED;
    }

    /**
     * The state after an operation that was accepted; empty where it would have been refused.
     *
     * @param lease that it names; empty for none
     */
    Optional<State> accepted(State s, Operation operation, String lease) {
        if (operation.isOfDelegation()) {
            Delegated delegated = s.delegated();
            return (operation == Operation.ASK ? delegated.ask() : delegated.renewed()).map(s::with);
        }
        if (operation.isOfLease()) {
            return s.leases().after(operation, lease).map(s::with);
        }
        if (operation == Operation.REGISTER) {
            return s.phase() == Phase.ABSENT && isLiveOrNone(s, lease)
                    ? Optional.of(new State(
                            Phase.PRESENT,
                            JobState.REGISTERED,
                            false,
                            false,
                            false,
                            false,
                            s.leases().bound(lease),
                            s.delegated()))
                    : Optional.empty();
        }
        return s.phase() == Phase.PRESENT ? command(s, operation, lease) : Optional.empty();
    }

    private static boolean isLiveOrNone(State s, String lease) {
        return lease.isEmpty() || s.leases().isLive(lease);
    }

    private static Optional<State> command(State s, Operation operation, String lease) {
        JobState now = s.state();
        return switch (operation) {
            // a registered job that is being purged is not started
            case START ->
                now == JobState.REGISTERED && !s.purge()
                        ? Optional.of(new State(
                                s.phase(), JobState.PENDING, true, false, false, false, s.leases(), s.delegated()))
                        : Optional.empty();
            case CANCEL -> CANCELLABLE.contains(now) ? Optional.of(cancelled(s)) : Optional.empty();
            case KILL -> now.isFinal() ? Optional.empty() : Optional.of(cancelled(s));
            case PURGE -> isPurgeable(s) ? Optional.of(s.purged()) : Optional.empty();
            case CLEAN -> isPurgeable(s) || s.cancel() ? Optional.of(s.purged()) : Optional.empty();
            case SUSPEND -> SUSPENDABLE.contains(now) ? Optional.of(s.held()) : Optional.empty();
            case RESUME -> now == JobState.HELD ? Optional.of(s) : Optional.empty();
            case DETACH ->
                now.isFinal() ? Optional.empty() : Optional.of(s.with(s.leases().bound("")));
            case ATTACH -> {
                // a lease that is not there leaves the job as it was, and the answer does not say so
                Leases next = s.leases().isLive(lease) ? s.leases().bound(lease) : s.leases();
                yield now.isFinal() ? Optional.empty() : Optional.of(s.with(next));
            }
            default -> throw new IllegalArgumentException(operation + " changes no job");
        };
    }

    private static State cancelled(State s) {
        return s.state() == JobState.REGISTERED ? s.to(JobState.CANCELLED) : s.cancelled();
    }

    /**
     * The state after the operation of a call that got this answer; empty where it would have got another one.
     *
     * @param job null where only leases are looked at
     */
    Optional<State> after(State s, JobChecker.Operand operand, String job) {
        Answer answer = operand.answer();
        Operation operation = operand.operation();
        String lease = operand.call().lease();
        if (job == null && operation == Operation.REGISTER) {
            // of the leases alone: it says whether the one that it names was there
            return same(s, isLiveOrNone(s, lease) == (answer.kind() == Answer.Kind.DONE));
        }
        boolean present = s.phase() == Phase.PRESENT;
        return switch (answer.kind()) {
            case DONE -> accepted(s, operation, lease);
            case STATE -> same(s, present && answer.states().contains(s.state()));
            case MESSAGES -> same(s, present);
            case JOBS -> same(s, answer.jobs().contains(job) == present);
            case UNKNOWN_JOB -> same(s, !present);
            case WRONG_STATE -> same(s, present && accepted(s, operation, lease).isEmpty());
            case REFUSED ->
                same(s, operation == Operation.RENEW && s.delegated().stage() == Stage.REMOVED);
            case UNKNOWN_LEASE -> same(s, accepted(s, operation, lease).isEmpty());
            default -> Optional.empty();
        };
    }

    private static Optional<State> same(State s, boolean fits) {
        return fits ? Optional.of(s) : Optional.empty();
    }
}
