package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.job.JobState;

/**
 * One job as clients may know it, operation after operation (docs/developer/protocol/behaviour.md sections 1 and 2). Moves of its
 * own are those of the batch system and of commands that were accepted.
 *
 * @param forgetful whether the batch system may forget the job
 * @param endless whether its payload ends only by force
 * @param revocable whether its registration was not confirmed: then the CE may have taken the job back
 */
record JobModel(boolean forgetful, boolean endless, boolean revocable) {
    private static final Set<JobState> CANCELLABLE =
            EnumSet.of(JobState.REGISTERED, JobState.IDLE, JobState.RUNNING, JobState.REALLY_RUNNING, JobState.HELD);
    private static final Set<JobState> SUSPENDABLE =
            EnumSet.of(JobState.IDLE, JobState.RUNNING, JobState.REALLY_RUNNING);

    enum Phase {
        ABSENT,
        PRESENT,
        GONE
    }

    /**
     * A state of the model.
     *
     * @param state REGISTERED where the job is not present
     * @param started whether a start took effect
     * @param cancel whether an accepted cancel may still take effect
     * @param hold whether a suspend was accepted
     * @param purge whether a purge was accepted
     */
    record State(Phase phase, JobState state, boolean started, boolean cancel, boolean hold, boolean purge) {
        static final State ABSENT = new State(Phase.ABSENT, JobState.REGISTERED, false, false, false, false);

        private State to(JobState next) {
            return new State(phase, next, started, cancel, hold, purge);
        }

        private State gone() {
            return new State(Phase.GONE, JobState.REGISTERED, started, false, false, false);
        }

        @Override
        public String toString() {
            if (phase != Phase.PRESENT) {
                return phase.toString();
            }
            return state.wireName() + (cancel ? "+cancel" : "") + (hold ? "+suspend" : "") + (purge ? "+purge" : "");
        }
    }

    /** What may become of a job without a further request. */
    List<State> moves(State s) {
        if (s.phase() != Phase.PRESENT) {
            return List.of();
        }
        List<State> moves = new ArrayList<>();
        for (JobState next : JobState.values()) {
            if (canMove(s, next)) {
                moves.add(s.to(next));
            }
        }
        if ((s.purge() && isPurgeable(s)) || (revocable && s.state() == JobState.REGISTERED)) {
            moves.add(s.gone());
        }
        return moves;
    }

    private boolean canMove(State s, JobState next) {
        return follows(s.state(), next)
                && s.state() != JobState.REGISTERED
                && switch (next) {
                    case CANCELLED -> s.cancel();
                    case DONE_FAILED -> forgetful;
                    case DONE_OK -> !endless;
                    case HELD -> s.hold();
                    case ABORTED -> false;
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

    /** The state after an operation that was accepted; empty where it would have been refused. */
    Optional<State> accepted(State s, Operation operation) {
        if (operation == Operation.REGISTER) {
            return s.phase() == Phase.ABSENT
                    ? Optional.of(new State(Phase.PRESENT, JobState.REGISTERED, false, false, false, false))
                    : Optional.empty();
        }
        if (s.phase() != Phase.PRESENT) {
            return Optional.empty();
        }
        JobState now = s.state();
        return switch (operation) {
            // a registered job that is being purged is not started
            case START ->
                now == JobState.REGISTERED && !s.purge()
                        ? Optional.of(new State(s.phase(), JobState.PENDING, true, false, false, false))
                        : Optional.empty();
            case CANCEL -> CANCELLABLE.contains(now) ? Optional.of(cancelled(s)) : Optional.empty();
            case KILL -> now.isFinal() ? Optional.empty() : Optional.of(cancelled(s));
            case PURGE -> isPurgeable(s) ? Optional.of(purged(s)) : Optional.empty();
            case CLEAN -> isPurgeable(s) || s.cancel() ? Optional.of(purged(s)) : Optional.empty();
            case SUSPEND ->
                SUSPENDABLE.contains(now)
                        ? Optional.of(new State(s.phase(), now, s.started(), s.cancel(), true, s.purge()))
                        : Optional.empty();
            case RESUME -> now == JobState.HELD ? Optional.of(s) : Optional.empty();
            default -> throw new IllegalArgumentException(operation + " changes no job");
        };
    }

    private static State cancelled(State s) {
        return s.state() == JobState.REGISTERED
                ? s.to(JobState.CANCELLED)
                : new State(s.phase(), s.state(), s.started(), true, s.hold(), s.purge());
    }

    private static State purged(State s) {
        return new State(s.phase(), s.state(), s.started(), s.cancel(), s.hold(), true);
    }

    /** The state after an operation that got this answer; empty where it would have got another one. */
    Optional<State> after(State s, Operation operation, String job, Answer answer) {
        boolean present = s.phase() == Phase.PRESENT;
        return switch (answer.kind()) {
            case DONE -> accepted(s, operation);
            case STATE -> same(s, present && answer.states().contains(s.state()));
            case JOBS -> same(s, answer.jobs().contains(job) == present);
            case UNKNOWN_JOB -> same(s, !present);
            case WRONG_STATE -> same(s, present && accepted(s, operation).isEmpty());
            default -> Optional.empty();
        };
    }

    private static Optional<State> same(State s, boolean fits) {
        return fits ? Optional.of(s) : Optional.empty();
    }
}
