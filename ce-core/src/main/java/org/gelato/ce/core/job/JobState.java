package org.gelato.ce.core.job;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The states of a job. Codes and names are those of the CREAM wire (docs/developer/protocol/behaviour.md section 1) and are stored in
 * the database: never renumber them.
 */
public enum JobState {
    REGISTERED(0, "REGISTERED", false),
    PENDING(1, "PENDING", false),
    IDLE(2, "IDLE", false),
    RUNNING(3, "RUNNING", false),
    REALLY_RUNNING(4, "REALLY-RUNNING", false),
    CANCELLED(5, "CANCELLED", true),
    HELD(6, "HELD", false),
    DONE_OK(7, "DONE-OK", true),
    DONE_FAILED(8, "DONE-FAILED", true),
    ABORTED(10, "ABORTED", true);

    /** Every state a job cannot leave any more. */
    public static final Set<JobState> FINAL =
            Arrays.stream(values()).filter(JobState::isFinal).collect(Collectors.toUnmodifiableSet());

    /** Every state the batch system may know the job in. */
    public static final Set<JobState> IN_LRMS = Set.copyOf(EnumSet.of(IDLE, RUNNING, REALLY_RUNNING, HELD));

    /** Those whose description is why the job waits, which changes without a record of the history. */
    public static final Set<JobState> WAITING = Set.copyOf(EnumSet.of(PENDING, IDLE, HELD));

    private static final Map<String, JobState> BY_WIRE_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(JobState::wireName, Function.identity()));
    private static final Map<Integer, JobState> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(JobState::code, Function.identity()));

    private final int code;
    private final String wireName;
    private final boolean isFinal;

    JobState(int code, String wireName, boolean isFinal) {
        this.code = code;
        this.wireName = wireName;
        this.isFinal = isFinal;
    }

    /** The number in the database and in the property {@code type} of QueryEvent. */
    public int code() {
        return code;
    }

    /** The name clients see, for example {@code REALLY-RUNNING}. */
    @JsonValue
    public String wireName() {
        return wireName;
    }

    /** Whether the job has ended. */
    public boolean isFinal() {
        return isFinal;
    }

    /** The state of that exact wire name, or empty for an unknown one. */
    public static Optional<JobState> ofWireName(String name) {
        return Optional.ofNullable(BY_WIRE_NAME.get(name));
    }

    /**
     * The state of a stored code.
     *
     * @throws IllegalArgumentException for a code the database should not hold
     */
    public static JobState ofCode(int code) {
        JobState state = BY_CODE.get(code);
        if (state == null) {
            throw new IllegalArgumentException("no job state has code " + code);
        }
        return state;
    }
}
