package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.json.ExitCodeNumber;

/**
 * A state of a job and when it was entered.
 *
 * @param name the wire's name, for example {@code DONE-OK}
 * @param exitCode null when absent
 * @param failureReason null when absent
 * @param description null when absent
 */
public record StatusReport(
        @JsonProperty("status") String name,
        Instant time,
        @JsonSerialize(using = ExitCodeNumber.class) String exitCode,
        String failureReason,
        String description) {
    public static final String DONE_OK = "DONE-OK";

    private static final String REGISTERED = "REGISTERED";
    private static final String PENDING = "PENDING";
    private static final Set<String> FINAL = Set.of(DONE_OK, "DONE-FAILED", "CANCELLED", "ABORTED");

    /** Whether the job can't leave this state any more. */
    public boolean isFinal() {
        return FINAL.contains(name);
    }

    /** Why the job waits, where the CE says so; empty for a job that has ended. */
    public Optional<String> waits() {
        return isFinal() || description == null || description.isBlank() || description.equals("N/A")
                ? Optional.empty()
                : Optional.of(description);
    }

    /** The exit code of the job's program, which a batch system may make more than 255; empty where none ran to its end. */
    public OptionalInt ofProgram() {
        boolean ran = isDoneOk() || name.equals("DONE-FAILED");
        return ran && ExitCodeNumber.isOne(exitCode) ? OptionalInt.of(Integer.parseInt(exitCode)) : OptionalInt.empty();
    }

    /** The same as the exit code of this process: 255 for what a process cannot have; 125 where none ran to its end. */
    public int forShell() {
        int code = ofProgram().orElse(ExitCode.NO_PROGRAM);
        return code < 0 || code > ExitCode.MAX_CODE ? ExitCode.MAX_CODE : code;
    }

    public boolean isRegistered() {
        return name.equals(REGISTERED);
    }

    /** Whether the job has been started and gets no more files: over ARC REST one that is accepted is pending, and may wait for them. */
    public boolean isBeyondPending() {
        return !isRegistered() && !name.equals(PENDING);
    }

    /** Whether the job has ended as its user wanted. */
    public boolean isSuccess() {
        return isDoneOk() && ofProgram().orElse(0) == 0;
    }

    public boolean isDoneOk() {
        return name.equals(DONE_OK);
    }
}
