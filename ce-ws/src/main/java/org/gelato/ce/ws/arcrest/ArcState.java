package org.gelato.ce.ws.arcrest;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.job.JobState;

/**
 * The states of ARC REST that a job of this CE has, live and never from a file. Clients know a closed list of names
 * (docs/protocol/arc-rest.md, trap 11); these are among them.
 */
enum ArcState {
    /** Waits for files of its client. */
    PREPARING,
    /** On its way to the batch system. */
    SUBMITTING,
    QUEUING,
    RUNNING,
    HELD,
    /** Ended by itself, whatever its exit code. */
    FINISHED,
    FAILED,
    KILLED;

    /** The state a job is in, seen by this protocol. */
    static ArcState of(JobState state) {
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

    /** Our states that show as this one. */
    Set<JobState> states() {
        return EnumSet.copyOf(Arrays.stream(JobState.values())
                .filter(state -> of(state) == this)
                .toList());
    }

    /** Whether clients fetch files and clean up. */
    boolean isFinal() {
        return this == FINISHED || this == FAILED || this == KILLED;
    }
}
