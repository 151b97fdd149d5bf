package org.gelato.ce.cli.wire;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How jobs have ended that are wanted, which no protocol has a criterion for.
 *
 * @param failed whether only those that ended without success
 * @param comparison of the program's exit code, as {@code !=0}; null for any, and none
 */
public record JobEnding(boolean failed, String comparison) {
    public static final JobEnding ANY = new JobEnding(false, null);

    private static final Pattern COMPARISON = Pattern.compile("(==|=|!=|<=|>=|<|>)?(25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})");

    public boolean isGiven() {
        return failed || comparison != null;
    }

    /** @throws IllegalArgumentException for a comparison that is none */
    public JobEnding checked() {
        if (comparison != null && !COMPARISON.matcher(comparison).matches()) {
            throw new IllegalArgumentException(
                    "--exit-code wants a number up to 255 with =, !=, <, <=, > or >= before it, in quotes for the shell: '!=0'");
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
        return comparison == null || (code.isPresent() && compares(code.getAsInt()));
    }

    private boolean compares(int code) {
        Matcher words = COMPARISON.matcher(comparison);
        if (!words.matches()) {
            return false;
        }
        int order = Integer.compare(code, Integer.parseInt(words.group(2)));
        return switch (words.group(1) == null ? "=" : words.group(1)) {
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            case ">=" -> order >= 0;
            default -> order == 0;
        };
    }
}
