package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.JobEnding;
import org.gelato.ce.cli.wire.JobNaming;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce usage}: sums of what jobs used. */
@Command(
        name = "usage",
        description =
                "Shows what jobs used that ran and have ended: yours, or everybody's for administrators of the CE.",
        footer = {
            "",
            "CPU time is of all cores together. UNMEASURED jobs are those whose CPU time nobody measured.",
            "Exit code: 0 shown, 1 no response or refused, 2 wrong command line."
        })
public final class UsageCommand extends UsageAction {
    private static final double HOUR = 3600;

    private static final double LEAST_HOURS = 0.1;

    private static final List<String> USUAL = List.of("month", "vo");

    /** How sums are printed. */
    enum Format {
        table,
        csv,
        json
    }

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            split = ",",
            completionCandidates = Keys.class,
            description = "Sums by ${COMPLETION-CANDIDATES}NAME; repeat it or separate by commas. Default: month,vo.")
    private List<String> by = new ArrayList<>();

    @Option(names = "--name", paramLabel = "NAME", description = "Of jobs that were given this name.")
    private String name;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Of jobs that were given this label.")
    private String label;

    @Option(
            names = "--failed",
            description =
                    "Of jobs that ended without success: DONE-FAILED, ABORTED, and DONE-OK with another exit code than 0.")
    private boolean failed;

    @Option(
            names = "--exit-code",
            paramLabel = "EXPR",
            description = "Of jobs whose program ended with such an exit code: '!=0', '=3', '>0'.")
    private String exitCode;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "One of ${COMPLETION-CANDIDATES}; --json is the same as json.")
    private Format format = Format.table;

    /** What sums can be by. */
    static final class Keys extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Keys() {
            super(List.of("vo", "user", "queue", "month", "name", "label:"));
        }
    }

    private UsageCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    /** The whole of {@code ce usage}. */
    public static CommandLine all(CliContext context, CommonOptions options) {
        return new CommandLine(new UsageCommand(context, options))
                .addSubcommand(new PublishCommands.Status(context, options))
                .addSubcommand(new PublishCommands.Publish(context, options))
                .addSubcommand(new PublishCommands.Republish(context, options))
                .addSubcommand("reconcile", ReconcileCommand.with(context, options));
    }

    @Override
    public Integer call() {
        List<String> wanted = by.isEmpty() ? USUAL : by;
        if (wanted.stream().distinct().count() < wanted.size()) {
            throw usage("--by has something twice");
        }
        for (String key : wanted) {
            if (!key.matches("vo|user|queue|month|name|label:[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
                throw usage("--by is " + String.join(", ", new Keys()) + "NAME, not '" + key + "'");
            }
        }
        Map<String, String> parameters = interval();
        parameters.put("by", String.join(",", wanted));
        parameters.putAll(naming());
        parameters.putAll(ending());
        JsonNode result = connect().control("GET", "usage", parameters);
        if (options.json() || format == Format.json) {
            print(result);
        } else if (format == Format.csv) {
            csv(wanted, result.path("sums"));
        } else {
            table(wanted, result.path("sums"));
        }
        return ExitCode.OK;
    }

    private Map<String, String> naming() {
        try {
            new JobNaming(name, label == null ? List.of() : List.of(label)).checked();
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        if (name != null) {
            parameters.put("name", name);
        }
        if (label != null) {
            parameters.put("label", label);
        }
        return parameters;
    }

    private Map<String, String> ending() {
        try {
            new JobEnding(failed, exitCode).checked();
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        if (failed) {
            parameters.put("failed", "true");
        }
        if (exitCode != null) {
            parameters.put("exitCode", exitCode);
        }
        return parameters;
    }

    private void csv(List<String> wanted, JsonNode sums) {
        context.out().println(String.join(",", wanted) + ",jobs,cpu_seconds,wall_seconds,core_seconds,unmeasured");
        for (JsonNode sum : sums) {
            StringBuilder line = new StringBuilder();
            wanted.forEach(b -> line.append(quoted(sum.path(b).asText())).append(','));
            for (String number : List.of("jobs", "cpuSeconds", "wallSeconds", "coreSeconds", "unmeasured")) {
                line.append(sum.path(number).decimalValue().toPlainString()).append(',');
            }
            context.out().println(line.substring(0, line.length() - 1));
        }
    }

    /** Spreadsheets calculate what begins with the sign of a formula, and users choose labels. */
    private static String quoted(String text) {
        boolean formula = text.matches("(?s)\\s*[=+@-].*");
        return !formula && text.matches("[A-Za-z0-9._-]*")
                ? text
                : (formula ? "\"'" : "\"") + Printable.line(text).replace("\"", "\"\"") + '"';
    }

    private void table(List<String> wanted, JsonNode sums) {
        List<Integer> widths = new ArrayList<>();
        for (String b : wanted) {
            int width = b.length();
            for (JsonNode sum : sums) {
                width = Math.max(width, name(b, sum).length());
            }
            widths.add(width);
        }
        StringBuilder head = new StringBuilder();
        for (int i = 0; i < wanted.size(); i++) {
            head.append(pad(wanted.get(i).toUpperCase(Locale.ROOT), widths.get(i)));
        }
        context.out()
                .println(head
                        + String.format(
                                Locale.ROOT,
                                "%10s %14s %14s %14s %6s %10s",
                                "JOBS",
                                "CPU HOURS",
                                "WALL HOURS",
                                "CORE HOURS",
                                "CPU %",
                                "UNMEASURED"));
        for (JsonNode sum : sums) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < wanted.size(); i++) {
                line.append(pad(name(wanted.get(i), sum), widths.get(i)));
            }
            double cpu = sum.path("cpuSeconds").asDouble();
            double core = sum.path("coreSeconds").asDouble();
            context.out()
                    .println(line
                            + String.format(
                                    Locale.ROOT,
                                    "%10d %14s %14s %14s %6s %10d",
                                    sum.path("jobs").asLong(),
                                    hours(cpu),
                                    hours(sum.path("wallSeconds").asDouble()),
                                    hours(core),
                                    core > 0 ? Long.toString(Math.round(100 * cpu / core)) : "-",
                                    sum.path("unmeasured").asLong()));
        }
    }

    /** With two digits that count where two decimals would show nothing. */
    private static String hours(double seconds) {
        double hours = seconds / HOUR;
        return hours > 0 && hours < LEAST_HOURS
                ? new BigDecimal(hours, new MathContext(2)).toPlainString()
                : String.format(Locale.ROOT, "%.2f", hours);
    }

    private static String name(String b, JsonNode sum) {
        String name = Printable.line(sum.path(b).asText());
        return name.isEmpty() ? "(none)" : name;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length() + 2);
    }
}
