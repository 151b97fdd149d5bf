package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A setting of HTCondor's configuration files. Files that they include, templates and what depends on a condition are named, not
 * followed.
 *
 * @param name as written; it is compared without regard to case
 * @param value its lines; the first one stands behind the name
 */
record CondorSetting(String name, SourcePlace place, List<SourceLine> value) {
    static final String OPTION = "--from-htcondor-ce";

    private static final Pattern ASSIGNMENT = Pattern.compile("\\s*+([A-Za-z_][A-Za-z0-9_.]{0,200}+)\\s*+(@?)=(.*+)");
    private static final Pattern WORD = Pattern.compile("\\s*+(@?[A-Za-z]++).*+");
    private static final Set<String> CONDITION = Set.of("if", "else", "elif", "endif");

    /** Settings in their order; the last of a name counts. */
    static List<CondorSetting> read(List<SourceLine> lines, MigrationReport report) {
        List<CondorSetting> settings = new ArrayList<>();
        int depth = 0;
        int at = 0;
        while (at < lines.size()) {
            SourceLine line = lines.get(at);
            Matcher assignment = ASSIGNMENT.matcher(line.text());
            boolean assigned = assignment.matches();
            String word = assigned || line.isComment() ? "" : word(line.text());
            if (CONDITION.contains(word)) {
                if (word.equals("if") && depth++ == 0) {
                    report.add(line.place(), line.text(), "not read, up to its endif: name what of it counts");
                } else if (word.equals("endif")) {
                    depth = Math.max(0, depth - 1);
                }
                at++;
            } else if (assigned) {
                List<SourceLine> value = new ArrayList<>();
                at = assignment.group(2).isEmpty()
                        ? continued(lines, at, assignment.group(3), value)
                        : block(lines, at, assignment.group(3).strip(), value);
                if (depth == 0) {
                    settings.add(new CondorSetting(assignment.group(1), line.place(), List.copyOf(value)));
                }
            } else {
                if (depth == 0 && !line.isComment() && !line.text().isBlank()) {
                    report.add(line.place(), line.text(), other(word));
                }
                at++;
            }
        }
        return settings;
    }

    private static String word(String text) {
        Matcher word = WORD.matcher(text);
        return word.matches() ? word.group(1).toLowerCase(Locale.ROOT) : "";
    }

    private static String other(String word) {
        return switch (word) {
            case "include", "@include" -> "not followed: name that file too, by " + OPTION;
            case "use" -> "not read: a template of HTCondor's";
            default -> "not understood";
        };
    }

    /** Lines that end in a backslash go on in the next one; comments between them do not count. */
    private static int continued(List<SourceLine> lines, int first, String text, List<SourceLine> value) {
        int at = first;
        String rest = text;
        while (rest.endsWith("\\")) {
            value.add(new SourceLine(lines.get(at).place(), rest.substring(0, rest.length() - 1)));
            do {
                at++;
            } while (at < lines.size()
                    && sameFile(lines, first, at)
                    && lines.get(at).isComment());
            if (at == lines.size() || !sameFile(lines, first, at)) {
                return at;
            }
            rest = lines.get(at).text();
        }
        value.add(new SourceLine(lines.get(at).place(), rest));
        return at + 1;
    }

    private static int block(List<SourceLine> lines, int first, String tag, List<SourceLine> value) {
        for (int at = first + 1; at < lines.size() && sameFile(lines, first, at); at++) {
            if (lines.get(at).text().strip().equals("@" + tag)) {
                return at + 1;
            }
            value.add(lines.get(at));
        }
        throw SourceLine.refusal(OPTION, lines.get(first).place() + ": this block has no end");
    }

    private static boolean sameFile(List<SourceLine> lines, int first, int at) {
        return lines.get(first).place().index() == lines.get(at).place().index();
    }

    /** In upper case. */
    String key() {
        return name.toUpperCase(Locale.ROOT);
    }

    /** On one line. */
    String text() {
        return String.join(" ", value.stream().map(line -> line.text().strip()).toList())
                .strip();
    }
}
