package org.gelato.ce.packaging;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** One man page in roff, from picocli's model of a command: the same texts as its {@code --help}. */
final class ManPage {
    private final CommandSpec spec;
    private final int section;
    private final String version;
    private final StringBuilder text = new StringBuilder();

    private ManPage(CommandSpec spec, int section, String version) {
        this.spec = spec;
        this.section = section;
        this.version = version;
    }

    /**
     * The page's name without its section: {@code ce-lease} for {@code ce lease}.
     *
     * @param command with its parents
     */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-").replace(' ', '-');
    }

    static String of(CommandLine command, int section, String version) {
        return new ManPage(command.getCommandSpec(), section, version).write(name(command));
    }

    private String write(String name) {
        text.append(".TH \"")
                .append(plain(name).toUpperCase(Locale.ROOT))
                .append("\" \"")
                .append(section)
                .append("\" \"\" \"Gelato CE ")
                .append(version)
                .append("\" \"Gelato CE\"\n.nh\n.ad l\n");
        List<String> description = lines(spec.usageMessage().description());
        section("NAME");
        String purpose = description.isEmpty() ? spec.qualifiedName() : withoutStop(description.get(0));
        text.append(plain(name)).append(" \\- ").append(plain(purpose)).append("\n");
        section("SYNOPSIS");
        synopsis();
        section("DESCRIPTION");
        paragraphs(description);
        List<PositionalParamSpec> parameters = spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
        List<OptionSpec> options = spec.options().stream()
                .filter(option -> !option.hidden())
                .sorted(Comparator.comparing(option -> option.longestName().replaceFirst("^-+", "")))
                .toList();
        if (!parameters.isEmpty()) {
            section("ARGUMENTS");
            for (PositionalParamSpec parameter : parameters) {
                item("\\fI" + plain(parameter.paramLabel()) + "\\fR", lines(parameter.description()));
            }
        }
        if (!options.isEmpty()) {
            section("OPTIONS");
            for (OptionSpec option : options) {
                item(heading(option), lines(option.description()));
            }
        }
        commands();
        List<String> footer = rows(spec.usageMessage().footer());
        if (!footer.isEmpty()) {
            section("NOTES");
            paragraphs(footer);
        }
        return text.toString();
    }

    private void synopsis() {
        // picocli wraps the synopsis; one line is for the formatter to fill.
        String synopsis = new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF)).synopsis(0);
        line(synopsis.replaceAll("\\s+", " ").strip());
    }

    private void commands() {
        List<CommandLine> commands = spec.subcommands().values().stream()
                .distinct()
                .filter(command -> !command.getCommandSpec().usageMessage().hidden())
                .toList();
        if (commands.isEmpty()) {
            return;
        }
        section("COMMANDS");
        for (CommandLine command : commands) {
            item(
                    "\\fB" + plain(command.getCommandName()) + "\\fR",
                    lines(command.getCommandSpec().usageMessage().description()));
        }
        section("SEE ALSO");
        line(String.join(
                ", ",
                commands.stream()
                        .map(command -> name(command) + "(" + section + ")")
                        .toList()));
    }

    private static String heading(OptionSpec option) {
        List<String> names = new ArrayList<>();
        for (String name : option.names()) {
            names.add("\\fB" + plain(name) + "\\fR");
        }
        boolean takesValue = option.arity().max() > 0;
        return String.join(", ", names) + (takesValue ? " \\fI" + plain(option.paramLabel()) + "\\fR" : "");
    }

    private List<String> lines(String[] texts) {
        return rows(texts).stream().map(String::strip).toList();
    }

    /** Texts without picocli's markup, one string for each line of the source. */
    private List<String> rows(String[] texts) {
        List<String> lines = new ArrayList<>();
        for (String item : texts) {
            String formatted =
                    item.replace("%n", "\n").replace("%%", "%").replace("${COMMAND-FULL-NAME}", spec.qualifiedName());
            for (String row : Ansi.OFF.string(formatted).split("\n", -1)) {
                lines.add(row.stripTrailing());
            }
        }
        while (!lines.isEmpty() && lines.get(0).isEmpty()) {
            lines.remove(0);
        }
        return lines;
    }

    private static String withoutStop(String sentence) {
        int stop = sentence.indexOf(". ");
        return (stop > 0 ? sentence.substring(0, stop) : sentence).replaceFirst("[.:]$", "");
    }

    private void section(String title) {
        text.append(".SH ").append(title).append("\n");
    }

    private void item(String heading, List<String> description) {
        text.append(".TP\n").append(heading).append("\n");
        for (String row : description) {
            line(row);
        }
    }

    /** Rows with indented ones among them, as commands of several lines, stay as they are. */
    private void paragraphs(List<String> rows) {
        boolean laidOut = rows.stream().anyMatch(row -> row.startsWith(" "));
        text.append(laidOut ? ".nf\n" : "");
        for (String row : rows) {
            if (row.isEmpty()) {
                text.append(".PP\n");
            } else {
                line(row);
            }
        }
        text.append(laidOut ? ".fi\n" : "");
    }

    private void line(String row) {
        String safe = plain(row);
        if (!safe.isEmpty()) {
            text.append(safe).append("\n");
        }
    }

    /** Roff takes a backslash, a hyphen, and a dot or quote at a line's begin for something else. */
    static String plain(String raw) {
        String escaped = raw.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
