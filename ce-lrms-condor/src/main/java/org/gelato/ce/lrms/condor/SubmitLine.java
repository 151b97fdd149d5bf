package org.gelato.ce.lrms.condor;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of a submit description that is sure to be one: {@code NAME = VALUE}. Whatever its value is, HTCondor reads no statement, no
 * further line and no macro of ours there. Pure.
 *
 * @param name a command, or an attribute with its {@code +} or {@code MY.}
 * @param value as HTCondor reads it, macros included; a site may use them
 */
public record SubmitLine(String name, String value) {
    private static final Pattern NAME = Pattern.compile("\\+?[A-Za-z_][A-Za-z0-9_.]{0,127}");
    private static final Pattern LINE = Pattern.compile("[ \\t]*(" + NAME.pattern() + ")[ \\t]*=(?!=)(.*)");
    private static final int LONGEST = 4000;
    private static final String MACRO = "$(DOLLAR)";

    public SubmitLine {
        if (!NAME.matcher(name).matches() || !isOneLine(value)) {
            throw new IllegalArgumentException("not a line NAME = VALUE of a submit description: " + name);
        }
    }

    /** A line of a site's; empty for text that is none, such as one that queues, includes or continues. */
    static Optional<SubmitLine> of(String text) {
        Matcher m = LINE.matcher(text);
        return m.matches() && isOneLine(m.group(2))
                ? Optional.of(new SubmitLine(m.group(1), m.group(2).strip()))
                : Optional.empty();
    }

    /** An attribute of the job's with a string that HTCondor reads back as it is. */
    static SubmitLine attribute(String name, String text) {
        return new SubmitLine("+" + name, quoted(text));
    }

    /** Of one that ends in a backslash the next line would be a part. */
    private static boolean isOneLine(String value) {
        return value.length() <= LONGEST
                && !value.stripTrailing().endsWith("\\")
                && value.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t')
                // line ends of Unicode are none for HTCondor, but for whoever reads what we wrote
                && value.indexOf('\u2028') < 0
                && value.indexOf('\u2029') < 0;
    }

    /**
     * A text as a string of HTCondor's expressions, in which no macro is expanded.
     *
     * @throws IllegalArgumentException for a text with control characters
     */
    static String quoted(String text) {
        // the latter HTCondor would expand at a match
        if (!isOneLine(text + '.') || text.contains("$$")) {
            throw new IllegalArgumentException("HTCondor cannot be given a text with control characters or $$");
        }
        return '"' + verbatim(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** A text in which HTCondor expands nothing. */
    static String verbatim(String text) {
        return text.replace("$", MACRO);
    }

    /** Whether it is about this command, however it is written. */
    boolean is(String command) {
        return name.toLowerCase(Locale.ROOT).equals(command);
    }

    @Override
    public String toString() {
        return name + " = " + value;
    }
}
