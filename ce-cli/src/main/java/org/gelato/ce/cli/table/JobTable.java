package org.gelato.ce.cli.table;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.cli.choice.AgeText;
import org.gelato.ce.cli.jdl.JdlSyntaxException;
import org.gelato.ce.cli.jdl.JdlText;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Option;

/** A table of jobs for people; for scripts each job has a line of its own in a form that does not change. */
public final class JobTable {
    private static final int ID_WIDTH = 54;
    private static final int STATE_WIDTH = 17;
    private static final int AGE_WIDTH = 8;
    private static final int QUEUE_WIDTH = 16;
    private static final int NAME_WIDTH = 16;
    private static final int REST_WIDTH = 60;

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
     */
    public static void print(PrintStream out, Help.ColorScheme colors, List<Row> rows, Instant now) {
        TextTable text = TextTable.forColumns(
                colors,
                column(ID_WIDTH),
                column(STATE_WIDTH),
                column(AGE_WIDTH),
                column(AGE_WIDTH),
                column(QUEUE_WIDTH),
                column(NAME_WIDTH),
                column(REST_WIDTH));
        text.addRowValues("JOB", "STATE", "SINCE", "AGE", "QUEUE", "NAME", "RESULT OR REASON TO WAIT");
        for (Row row : rows) {
            StatusReport last = row.report().status();
            text.addRowValues(
                    colors.ansi().new Text(row.job().toString(), colors),
                    colors.ansi().new Text(colored(last.name()), colors),
                    plain(colors, age(last.time(), now)),
                    plain(colors, age(row.report().history().get(0).time(), now)),
                    plain(colors, queue(row.report())),
                    plain(colors, name(row.report().name())),
                    plain(colors, result(row.report())));
        }
        out.print(text);
    }

    private static Column column(int width) {
        return new Column(width, 0, Column.Overflow.TRUNCATE);
    }

    private static Help.Ansi.Text plain(Help.ColorScheme colors, String text) {
        // Marks of colour in a CE's text are not ours to show.
        return colors.ansi().new Text(text.replace("@|", "@ |"), colors);
    }

    private static String colored(String state) {
        String text = Printable.line(state).replace("@|", "@ |");
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

    private static String name(String name) {
        return Lines.known(name) ? Printable.line(name) : "-";
    }

    private static String queue(JobReport report) {
        if (report.queue() != null) {
            return Printable.line(report.queue());
        }
        try {
            return report.jdl() == null
                    ? "-"
                    : JdlText.of(report.jdl())
                            .string("QueueName")
                            .map(Printable::line)
                            .orElse("-");
        } catch (JdlSyntaxException e) {
            return "-";
        }
    }
}
