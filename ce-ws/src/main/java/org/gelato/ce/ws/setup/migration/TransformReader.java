package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.ws.setup.migration.Statement.Command;

/** Reads a route in the syntax of transforms. Functions without state. */
final class TransformReader {
    private static final Pattern VALUE = Pattern.compile("([A-Za-z_][A-Za-z0-9_.]*+)\\s*+=(?![=?!])\\s*+(.*+)");
    private static final Pattern COMMAND = Pattern.compile("([A-Za-z]++)(?:\\s++(.*+))?");
    private static final Pattern NAMED = Pattern.compile("([A-Za-z_][A-Za-z0-9_.]*+)(?:\\s*+=(?![=?!]))?\\s*+(.*+)");

    private TransformReader() {}

    static List<Statement> read(List<SourceLine> lines) {
        List<Statement> statements = new ArrayList<>();
        int depth = 0;
        for (int at = 0; at < lines.size(); at++) {
            SourceLine first = lines.get(at);
            StringBuilder text = new StringBuilder(first.text().strip());
            while (!first.isComment() && !text.isEmpty() && text.charAt(text.length() - 1) == '\\') {
                text.setLength(text.length() - 1);
                at++;
                text.append(at < lines.size() ? lines.get(at).text().strip() : "");
            }
            if (text.isEmpty() || first.isComment()) {
                continue;
            }
            if (statements.size() == Statement.MAX) {
                throw SourceLine.refusal(
                        CondorSetting.OPTION, first.place() + ": more than " + Statement.MAX + " statements");
            }
            Statement statement = statement(first.place(), text.toString());
            String word = statement.name().split("\\s", 2)[0].toLowerCase(Locale.ROOT);
            boolean condition = statement.command() == Command.OTHER;
            if (condition && word.equals("if")) {
                depth++;
            }
            if (depth == 0) {
                statements.add(statement);
            } else if (statement.command() == Command.REQUIREMENTS) {
                statements.add(new Statement(first.place(), Command.REQUIREMENTS, "", "if " + statement.value()));
            } else {
                statements.add(new Statement(first.place(), Command.OTHER, statement.shown() + ", below if", ""));
            }
            if (condition && word.equals("endif")) {
                depth = Math.max(0, depth - 1);
            }
        }
        return statements;
    }

    private static Statement statement(SourcePlace place, String text) {
        Matcher value = VALUE.matcher(text);
        if (value.matches()) {
            return value.group(1).equalsIgnoreCase("requirements")
                    ? new Statement(place, Command.REQUIREMENTS, "", value.group(2))
                    : new Statement(place, Command.VALUE, value.group(1), value.group(2));
        }
        Matcher command = COMMAND.matcher(text);
        if (!command.matches()) {
            return other(place, text);
        }
        String rest = command.group(2) == null ? "" : command.group(2).strip();
        return switch (command.group(1).toUpperCase(Locale.ROOT)) {
            case "REQUIREMENTS" -> new Statement(place, Command.REQUIREMENTS, "", rest);
            case "UNIVERSE" -> new Statement(place, Command.UNIVERSE, "", rest);
            case "NAME" -> new Statement(place, Command.NAME, "", rest);
            case "SET" -> named(place, Command.SET, rest, text);
            case "DEFAULT" -> named(place, Command.DEFAULT, rest, text);
            default -> other(place, text);
        };
    }

    private static Statement named(SourcePlace place, Command command, String rest, String text) {
        Matcher named = NAMED.matcher(rest);
        return named.matches()
                ? new Statement(place, command, named.group(1), named.group(2).strip())
                : other(place, text);
    }

    private static Statement other(SourcePlace place, String text) {
        return new Statement(place, Command.OTHER, command(text), "");
    }

    /** Without what it is given: that may be a secret. */
    private static String command(String text) {
        String[] parts = text.split("\\s++", 3);
        return parts.length == 1 ? parts[0] : parts[0] + " " + parts[1];
    }
}
