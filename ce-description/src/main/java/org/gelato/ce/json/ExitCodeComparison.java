package org.gelato.ce.json;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What users write to choose jobs by exit code, as {@code !=0}. Immutable.
 *
 * @param operator one of {@code =}, {@code !=}, {@code <}, {@code <=}, {@code >} and {@code >=}
 * @param code 0 to 255
 */
public record ExitCodeComparison(String operator, int code) {
    private static final Pattern FORM = Pattern.compile("(==|=|!=|<=|>=|<|>)?(25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})");

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException for what is none
     */
    public static ExitCodeComparison of(String text) {
        Matcher words = FORM.matcher(text);
        if (!words.matches()) {
            throw new IllegalArgumentException(
                    "an exit code is chosen by a number up to 255 with =, !=, <, <=, > or >= before it");
        }
        String operator = words.group(1) == null || words.group(1).equals("==") ? "=" : words.group(1);
        return new ExitCodeComparison(operator, Integer.parseInt(words.group(2)));
    }

    /** Whether a job's exit code is chosen. */
    public boolean test(int exitCode) {
        int order = Integer.compare(exitCode, code);
        return switch (operator) {
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            case ">=" -> order >= 0;
            default -> order == 0;
        };
    }
}
