package org.gelato.ce.cli.wire;

import java.time.Instant;
import java.util.Set;

/**
 * A state of a job and when it was entered.
 *
 * @param name the wire's name, for example {@code DONE-OK}
 * @param exitCode null when absent
 * @param failureReason null when absent
 * @param description null when absent
 */
public record StatusReport(String name, Instant time, String exitCode, String failureReason, String description) {
    public static final String DONE_OK = "DONE-OK";

    private static final Set<String> FINAL = Set.of(DONE_OK, "DONE-FAILED", "CANCELLED", "ABORTED");

    /** Whether the job can't leave this state any more. */
    public boolean isFinal() {
        return FINAL.contains(name);
    }

    public boolean isDoneOk() {
        return name.equals(DONE_OK);
    }
}
