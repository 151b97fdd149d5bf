package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.ws.setup.migration.Statement.Command;

/** Reads the ClassAds in brackets of {@code JOB_ROUTER_ENTRIES} and {@code JOB_ROUTER_DEFAULTS}: without recursion. */
final class ClassAdReader {
    private static final Pattern ATTRIBUTE = Pattern.compile("\\s*+([A-Za-z_][A-Za-z0-9_]*+)\\s*+=(?![=?!])\\s*+(.*+)");
    private static final Pattern BLANKS = Pattern.compile("\\s++");
    private static final Pattern MACRO = Pattern.compile("\\$\\(([A-Za-z0-9_]++)\\)");

    private final CondorSetting setting;
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> starts = new ArrayList<>();
    private final List<SourcePlace> places = new ArrayList<>();
    private int at;

    private ClassAdReader(CondorSetting setting) {
        this.setting = setting;
        for (SourceLine line : setting.value()) {
            starts.add(text.length());
            places.add(line.place());
            text.append(line.isComment() ? "" : line.text()).append(' ');
        }
    }

    /**
     * The statements of each ClassAd.
     *
     * @param foreign is given what stands between them
     */
    static List<OldRoute> read(CondorSetting setting, Consumer<Statement> foreign) {
        return new ClassAdReader(setting).read(foreign);
    }

    private List<OldRoute> read(Consumer<Statement> foreign) {
        List<OldRoute> ads = new ArrayList<>();
        int length = text.length();
        while (at < length) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '[') {
                ads.add(ad());
            } else if (!comment()) {
                int start = at;
                while (at < length && text.charAt(at) != '[' && !Character.isWhitespace(text.charAt(at))) {
                    at++;
                }
                foreign.accept(new Statement(place(start), Command.OTHER, text.substring(start, at), ""));
            }
        }
        return ads;
    }

    private OldRoute ad() {
        int start = at++;
        List<Statement> statements = new ArrayList<>();
        StringBuilder one = new StringBuilder();
        int from = -1;
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean comment = comment();
            if (from < 0 && !comment && !Character.isWhitespace(c)) {
                from = at;
            }
            if (comment) {
                one.append(' ');
            } else if (c == '"') {
                string(one);
            } else if (depth == 0 && (c == ';' || c == ']')) {
                at++;
                add(statements, from, one.toString());
                if (c == ']') {
                    return route(place(start), statements);
                }
                one.setLength(0);
                from = -1;
            } else {
                if ("([{".indexOf(c) >= 0) {
                    depth++;
                } else if (")]}".indexOf(c) >= 0) {
                    depth--;
                }
                one.append(c);
                at++;
            }
        }
        throw refusal(start, "this ClassAd has no end");
    }

    private void string(StringBuilder to) {
        int start = at;
        to.append(text.charAt(at++));
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                to.append(text.charAt(at++));
            }
            to.append(text.charAt(at++));
        }
        if (at >= text.length()) {
            throw refusal(start, "this text has no closing quote");
        }
        to.append(text.charAt(at++));
    }

    /** Skips a comment; false where there is none. */
    private boolean comment() {
        if (text.charAt(at) != '/' || at + 1 >= text.length()) {
            return false;
        }
        if (text.charAt(at + 1) == '/') {
            int next = line(at) + 1;
            at = next < starts.size() ? starts.get(next) : text.length();
            return true;
        }
        if (text.charAt(at + 1) == '*') {
            int end = text.indexOf("*/", at + 2);
            if (end < 0) {
                throw refusal(at, "this comment has no end");
            }
            at = end + 2;
            return true;
        }
        return false;
    }

    private RuntimeException refusal(int start, String why) {
        return SourceLine.refusal(CondorSetting.OPTION, place(start) + ": " + setting.name() + ": " + why);
    }

    private void add(List<Statement> statements, int from, String one) {
        String plain = BLANKS.matcher(one).replaceAll(" ").strip();
        if (plain.isEmpty()) {
            return;
        }
        if (statements.size() == Statement.MAX) {
            throw refusal(from, "more than " + Statement.MAX + " statements");
        }
        statements.add(statement(place(from), plain));
    }

    private static Statement statement(SourcePlace place, String text) {
        Matcher attribute = ATTRIBUTE.matcher(text);
        if (!attribute.matches()) {
            return new Statement(place, Command.OTHER, text.split("[ =]", 2)[0], "");
        }
        String name = attribute.group(1);
        String value = attribute.group(2).strip();
        String plain = name.toLowerCase(Locale.ROOT);
        if (plain.startsWith("set_")) {
            return new Statement(place, Command.SET, name.substring("set_".length()), value);
        }
        if (plain.startsWith("eval_set_") || plain.startsWith("copy_") || plain.startsWith("delete_")) {
            return new Statement(place, Command.OTHER, name, "");
        }
        return switch (plain) {
            case "name" -> new Statement(place, Command.NAME, "", value);
            case "requirements" -> new Statement(place, Command.REQUIREMENTS, "", value);
            case "targetuniverse" -> new Statement(place, Command.UNIVERSE, "", value);
            default -> new Statement(place, Command.VALUE, name, value);
        };
    }

    private static OldRoute route(SourcePlace place, List<Statement> statements) {
        String name = statements.stream()
                .filter(s -> s.command() == Command.NAME)
                .map(s -> CondorLiteral.text(s.value()))
                .reduce("", (first, last) -> last);
        return new OldRoute(place, name, false, List.copyOf(statements));
    }

    /** Whether it is the earlier value of the setting itself. */
    static boolean isEarlier(String word, String setting) {
        Matcher macro = MACRO.matcher(word);
        return macro.matches() && macro.group(1).equalsIgnoreCase(setting);
    }

    private int line(int offset) {
        int low = 0;
        int high = starts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts.get(middle) <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private SourcePlace place(int offset) {
        return places.get(line(Math.min(offset, text.length() - 1)));
    }
}
