package org.gelato.ce.cli.context;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;

/**
 * The lines of a configuration file: {@code key = value}, sections in braces, blank lines and comments. Everything it takes
 * is HOCON, as in gelato.conf, but for values without quotes, which may have colons and slashes. Immutable.
 */
final class SettingsText {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_-]{0,62}";
    private static final String KEY = NAME + "(?:\\." + NAME + ")*";
    private static final String REST = "\\s*(?:(?:#|//).*)?";
    private static final Pattern NOTHING = Pattern.compile(REST);
    private static final Pattern OPENS = Pattern.compile("\\s*(" + KEY + ")\\s*=?\\s*\\{" + REST);
    private static final Pattern CLOSES = Pattern.compile("\\s*}" + REST);
    private static final Pattern VALUE = Pattern.compile("\\s*(" + KEY
            + ")\\s*=\\s*(?:\"((?:[^\"\\\\\\p{Cntrl}]|\\\\[\"\\\\])*)\"|([^\\s\"{}#\\[\\],\\\\]+))" + REST);

    private final Map<String, Entry> entries;

    private SettingsText(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /**
     * A value.
     *
     * @param line from 1
     */
    record Entry(String value, int line) {}

    /**
     * Reads a text.
     *
     * @param name how messages call the file
     * @throws CliException naming file and line
     */
    static SettingsText of(String name, String text) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        Deque<Integer> begins = new ArrayDeque<>();
        Deque<String> sections = new ArrayDeque<>();
        sections.push("");
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher opens = OPENS.matcher(line);
            Matcher value = VALUE.matcher(line);
            if (opens.matches()) {
                sections.push(sections.peek() + opens.group(1) + ".");
                begins.push(number);
            } else if (CLOSES.matcher(line).matches()) {
                if (begins.isEmpty()) {
                    throw wrong(name, number, "this '}' closes nothing");
                }
                sections.pop();
                begins.pop();
            } else if (value.matches()) {
                String key = sections.peek() + value.group(1);
                String quoted = value.group(2);
                Entry earlier = entries.put(
                        key, new Entry(quoted == null ? value.group(3) : quoted.replaceAll("\\\\(.)", "$1"), number));
                if (earlier != null) {
                    throw wrong(name, number, key + " is set in line " + earlier.line() + " already");
                }
            } else if (!NOTHING.matcher(line).matches()) {
                throw wrong(
                        name,
                        number,
                        "'" + Printable.line(line).strip() + "' is not understood: write KEY = \"VALUE\", one a line");
            }
        }
        if (!begins.isEmpty()) {
            throw wrong(name, begins.peek(), "the '{' of this line is never closed");
        }
        return new SettingsText(entries);
    }

    static CliException wrong(String name, int line, String what) {
        return new CliException(name + ", line " + line + ": " + what);
    }

    /** In the order of the file; sections are before their keys, with a dot. */
    Map<String, Entry> entries() {
        return entries;
    }

    /**
     * A text with one value changed; all else stays as it is.
     *
     * @param text that was read without an error
     * @param value without quotes and control characters; null to take the key out
     */
    String with(String text, String key, String value) {
        StringBuilder changed = new StringBuilder();
        Entry present = entries.get(key);
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (present == null || number != present.line()) {
                changed.append(line).append('\n');
            } else if (value != null) {
                Matcher old = VALUE.matcher(line);
                if (!old.matches()) {
                    throw new IllegalStateException("line " + number + " was read before");
                }
                int group = old.group(2) == null ? 3 : 2;
                int quote = group == 2 ? 1 : 0;
                changed.append(line, 0, old.start(group) - quote)
                        .append('"' + value + '"')
                        .append(line, old.end(group) + quote, line.length())
                        .append('\n');
            }
        }
        if (present == null && value != null) {
            changed.append(key).append(" = \"").append(value).append("\"\n");
        }
        return changed.toString();
    }
}
