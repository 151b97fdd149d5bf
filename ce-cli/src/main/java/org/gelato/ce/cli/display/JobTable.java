package org.gelato.ce.cli.display;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.json.JobDetail;
import picocli.CommandLine.Help;
import picocli.CommandLine.Option;

/** A table of jobs for people; for scripts each job has a line of its own in a form that does not change. */
public final class JobTable {
    private static final List<String> HEADING =
            List.of("JOB", "STATE", "SINCE", "AGE", "QUEUE", "NAME", "RESULT OR REASON TO WAIT");

    private static final int JOB = 0;
    private static final int STATE = 1;
    private static final int QUEUE = 4;
    private static final int NAME = 5;
    private static final int REST = 6;
    private static final int GAP = 2;
    private static final String ELLIPSIS = "\u2026";

    /** Which columns are made narrower where the table is wider than the terminal, to what, and in which order. */
    private static final int[][] CUTS = {{REST, 30}, {NAME, 8}, {QUEUE, 8}, {REST, 10}, {JOB, 16}, {NAME, 4}, {QUEUE, 4}
    };

    /** The launcher sets the property when standard output is a terminal. */
    @Option(
            names = "--table",
            negatable = true,
            defaultValue = "${sys:gelato.cli.table:-false}",
            fallbackValue = "true",
            description =
                    "Print a table with state, age and queue, or with --no-table a line for each job. Default: a table on"
                            + " a terminal.")
    private boolean table;

    /** Whether a table is wanted. */
    public boolean isWanted() {
        return table;
    }

    /** One job of the table. */
    public record Row(JobUrl job, JobReport report) {}

    /**
     * Prints the table; a heading alone without jobs.
     *
     * @param colors of the command line; none where standard output is no terminal
     * @param width of the terminal, into which the table is fitted; 0 for none, where every text is whole
     */
    public static void print(PrintStream out, Help.ColorScheme colors, List<Row> rows, Instant now, int width) {
        List<List<String>> cells = new ArrayList<>(List.of(HEADING));
        rows.forEach(row -> cells.add(cells(row, now)));
        int[] widths = widths(cells, width);
        for (int i = 0; i < cells.size(); i++) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String text = cut(cells.get(i).get(column), widths[column], column == JOB);
                // Marks of colour in a CE's text are not ours to show.
                line.append(column == STATE && i > 0 ? colors.ansi().new Text(colored(text), colors).toString() : text);
                line.append(" ".repeat(column == REST ? 0 : widths[column] - length(text) + GAP));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static List<String> cells(Row row, Instant now) {
        StatusReport last = row.report().status();
        return List.of(
                row.job().toString(),
                Printable.line(last.name()),
                age(last.time(), now),
                age(row.report().history().get(0).time(), now),
                queue(row.report()),
                name(row.report()),
                result(row.report()));
    }

    private static int[] widths(List<List<String>> cells, int terminal) {
        int[] widths = new int[HEADING.size()];
        int all = GAP * (widths.length - 1);
        for (int column = 0; column < widths.length; column++) {
            for (List<String> row : cells) {
                widths[column] = Math.max(widths[column], length(row.get(column)));
            }
            all += widths[column];
        }
        for (int[] cut : CUTS) {
            int narrower = terminal == 0 ? 0 : Math.min(all - terminal, widths[cut[0]] - cut[1]);
            if (narrower > 0) {
                widths[cut[0]] -= narrower;
                all -= narrower;
            }
        }
        return widths;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** @param end whether the end is what counts: of ids of jobs, which begin alike */
    private static String cut(String text, int width, boolean end) {
        int length = length(text);
        if (length <= width) {
            return text;
        }
        return end
                ? ELLIPSIS + text.substring(text.offsetByCodePoints(0, length - width + 1))
                : text.substring(0, text.offsetByCodePoints(0, width - 1)) + ELLIPSIS;
    }

    private static String colored(String state) {
        String text = state.replace("@|", "@ |");
        return switch (state) {
            case StatusReport.DONE_OK -> "@|green " + text + "|@";
            case "DONE-FAILED", "ABORTED", "CANCELLED" -> "@|red " + text + "|@";
            case "REALLY-RUNNING", "RUNNING" -> "@|bold " + text + "|@";
            default -> text;
        };
    }

    private static String age(Instant since, Instant now) {
        return since == null ? "-" : AgeText.of(Duration.between(since, now));
    }

    private static String result(JobReport report) {
        StatusReport last = report.status();
        StringBuilder text = new StringBuilder();
        if (Lines.known(last.exitCode())) {
            text.append("exit ").append(Printable.line(last.exitCode()));
        }
        if (Lines.known(last.failureReason())) {
            text.append(text.isEmpty() ? "" : ", ").append(Printable.line(last.failureReason()));
        }
        report.waits()
                .ifPresent(reason -> text.append(text.isEmpty() ? "" : ", ").append(Printable.line(reason)));
        return text.toString();
    }

    private static String name(JobReport report) {
        if (Lines.known(report.name())) {
            return Printable.line(report.name());
        }
        return report.labels().isEmpty() ? "-" : Printable.line(String.join(" ", report.labels()));
    }

    private static String queue(JobReport report) {
        return Optional.ofNullable(report.details().get(JobDetail.QUEUE))
                .or(() -> JdlText.string(report.jdl(), "QueueName"))
                .map(Printable::line)
                .orElse("-");
    }
}
