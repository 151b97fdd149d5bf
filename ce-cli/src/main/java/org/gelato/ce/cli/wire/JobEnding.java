package org.gelato.ce.cli.wire;

import java.util.List;
import java.util.OptionalInt;
import org.gelato.ce.json.ExitCodeComparison;

/**
 * How jobs have ended that are wanted, which no protocol has a criterion for.
 *
 * @param failed whether only those that ended without success
 * @param comparison of the program's exit code, as {@code !=0}; null for any, and none
 */
public record JobEnding(boolean failed, String comparison) {
    public static final JobEnding ANY = new JobEnding(false, null);

    public boolean isGiven() {
        return failed || comparison != null;
    }

    /** @throws IllegalArgumentException for a comparison that is none */
    public JobEnding checked() {
        try {
            if (comparison != null) {
                ExitCodeComparison.of(comparison);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--exit-code wants a number up to 255 with =, !=, <, <=, > or >= before it, in quotes for the shell: '!=0'",
                    e);
        }
        return this;
    }

    /** The states in which such jobs are. */
    List<String> states() {
        return comparison == null
                ? List.of(StatusReport.DONE_OK, "DONE-FAILED", "ABORTED")
                : List.of(StatusReport.DONE_OK, "DONE-FAILED");
    }

    /** Whether a job has ended so. */
    public boolean test(StatusReport state) {
        OptionalInt code = state.ofProgram();
        if (failed && (state.isSuccess() || !states().contains(state.name()))) {
            return false;
        }
        return comparison == null
                || (code.isPresent() && ExitCodeComparison.of(comparison).test(code.getAsInt()));
    }
}
