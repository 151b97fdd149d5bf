package org.gelato.ce.ws.arcrest;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;

/**
 * The states of ARC REST that a job of this CE has, live and never from a file. Clients know a closed list of names
 * (docs/developer/protocol/arc-rest.md, trap 11); these are among them.
 */
enum ArcState {
    /** Waits for files of its client. */
    PREPARING,
    /** On its way to the batch system. */
    SUBMITTING,
    QUEUING,
    RUNNING,
    HELD,
    /** Its program ended with 0. */
    FINISHED,
    /** The job failed, or its program ended with another exit code (docs/developer/protocol/arc-rest.md, How jobs end). */
    FAILED,
    KILLED;

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

    /** The state a job is in, seen by this protocol. */
    static ArcState of(JobStatus status) {
        return endedWrong(status) ? FAILED : of(status.state());
    }

    /** The exit code of a job's program as a number; empty where it has none: the wire has texts for such jobs. */
    static Optional<Integer> exitCode(JobStatus status) {
        return Optional.ofNullable(status.exitCode())
                .filter(text -> NUMBER.matcher(text).matches())
                .map(Integer::valueOf);
    }

    /** What this protocol reports as the error of a job; empty where there is none. The words for an exit code are A-REX's. */
    static Optional<String> error(JobStatus status) {
        if (status.failureReason() != null && !status.failureReason().isEmpty()) {
            return Optional.of(status.failureReason());
        }
        if (endedWrong(status)) {
            int code = exitCode(status).orElseThrow();
            return Optional.of("LRMS error: (" + code + ") Job finished with wrong exit code - " + code + " != 0");
        }
        return Optional.ofNullable(status.description())
                .filter(text -> status.state() == JobState.CANCELLED && !text.isEmpty());
    }

    private static boolean endedWrong(JobStatus status) {
        return status.state() == JobState.DONE_OK
                && exitCode(status).filter(code -> code != 0).isPresent();
    }

    private static ArcState of(JobState state) {
        return switch (state) {
            case REGISTERED -> PREPARING;
            case PENDING -> SUBMITTING;
            case IDLE -> QUEUING;
            case RUNNING, REALLY_RUNNING -> RUNNING;
            case HELD -> HELD;
            case DONE_OK -> FINISHED;
            case DONE_FAILED, ABORTED -> FAILED;
            case CANCELLED -> KILLED;
        };
    }

    /** The state of this name, in capital letters; empty for a name that no job here can have. */
    static Optional<ArcState> ofName(String name) {
        for (ArcState arc : values()) {
            if (arc.name().equals(name.strip().toUpperCase(Locale.ROOT))) {
                return Optional.of(arc);
            }
        }
        return Optional.empty();
    }

    /** Our states that may show as this one; whether a job in one of them does, {@link #of} says. */
    Set<JobState> states() {
        Set<JobState> states = EnumSet.copyOf(Arrays.stream(JobState.values())
                .filter(state -> of(state) == this)
                .toList());
        if (this == FAILED) {
            states.add(JobState.DONE_OK);
        }
        return states;
    }

    /** Whether clients fetch files and clean up. */
    boolean isFinal() {
        return this == FINISHED || this == FAILED || this == KILLED;
    }
}
