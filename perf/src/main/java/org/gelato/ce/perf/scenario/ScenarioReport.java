package org.gelato.ce.perf.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.perf.report.Criteria;
import org.gelato.ce.perf.report.Figure;
import org.gelato.ce.perf.report.Figures;
import org.gelato.ce.perf.report.Html;
import org.gelato.ce.perf.report.Published;

/**
 * Writes a run for people: {@code index.html}, which holds its figures itself, and each figure as a PNG beside it. A kill leaves
 * some of the files; the next run writes them again.
 */
public final class ScenarioReport {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH);

    private ScenarioReport() {}

    /** @param directory made when absent; files of the same names are replaced */
    public static void write(ScenarioResult result, Path directory) throws IOException {
        // Figures are drawn without a screen.
        System.setProperty("java.awt.headless", "true");
        Files.createDirectories(directory);
        Map<Figure, byte[]> figures = new LinkedHashMap<>();
        for (Figure figure :
                Figures.of(result.scenario().name(), result.protocol().samples())) {
            byte[] png = figure.png();
            figures.put(figure, png);
            Files.write(directory.resolve(figure.file()), png);
        }
        Files.writeString(directory.resolve("index.html"), page(result, figures), StandardCharsets.UTF_8);
    }

    static String page(ScenarioResult result, Map<Figure, byte[]> figures) {
        RunRecord protocol = result.protocol();
        Html html = new Html("Gelato CE: " + result.scenario().name() + ", "
                + result.plan().jobs() + " jobs on " + result.plan().batch());
        ScenarioResult.Machine machine = result.machine();
        html.paragraph(DATE.format(protocol.begun().atOffset(ZoneOffset.UTC)) + ". Commit " + machine.commit() + ". "
                + machine.processors() + " processors, " + machine.memoryMib() + " MiB, " + machine.system() + ", "
                + machine.java() + "; load before the run " + machine.load() + ". The run took "
                + result.took().toSeconds() + " s.");
        html.paragraph(result.scenario().what());
        html.heading("What must hold").paragraph(result.scenario().holds());
        html.table("check", "value", "must be", "bound", "held");
        for (Check check : protocol.checks()) {
            html.row(
                    !check.held(),
                    check.name(),
                    number(check.value()),
                    check.kind().toString(),
                    number(check.bound()),
                    check.held() ? "yes" : "no");
        }
        html.endTable();
        if (!protocol.notes().isEmpty()) {
            html.heading("How it was done").list(protocol.notes());
        }
        beside(html, result);
        jobs(html, protocol);
        numbers(html, protocol);
        html.heading("Figures");
        if (!protocol.marks().isEmpty()) {
            StringBuilder phases = new StringBuilder("Phases begin at:");
            protocol.marks()
                    .forEach((name, at) -> phases.append(' ')
                            .append(name)
                            .append(' ')
                            .append(number(at))
                            .append(" s;"));
            html.paragraph(phases.substring(0, phases.length() - 1) + ".");
        }
        figures.forEach((figure, png) -> html.figure(figure.title(), png, figure.title() + ". " + figure.beside()));
        return html.page();
    }

    private static void beside(Html html, ScenarioResult result) {
        var rows = Published.of(result.scenario().name());
        if (rows.isEmpty()) {
            return;
        }
        html.heading("Beside others")
                .paragraph(
                        "Published figures are of two 3 GHz Xeons in 2009, measured ones of another run on two cores:"
                                + " counts compare, rates and times only roughly.")
                .table("what", "this run", "others");
        for (Published.Row row : rows) {
            html.row(false, row.what(), ours(row.ours(), result.protocol()), row.theirs());
        }
        html.endTable();
    }

    private static String ours(String name, RunRecord protocol) {
        int percentile = name.lastIndexOf("/p");
        if (percentile < 0) {
            Number count = protocol.counts().get(name);
            return count == null ? "not in this run" : number(count.doubleValue());
        }
        var latencies = protocol.latencies().get(name.substring(0, percentile));
        return latencies == null
                ? "not in this run"
                : number(latencies.millis(Double.parseDouble(name.substring(percentile + 2))));
    }

    /** Table 3 of the report and its query for reasons. */
    private static void jobs(Html html, RunRecord protocol) {
        html.heading("Job status (Table 3 of the report)").table("status", "number");
        protocol.counts().forEach((name, value) -> {
            if (name.startsWith("state.")) {
                html.row(false, name.substring("state.".length()), number(value.doubleValue()));
            }
        });
        html.endTable();
        html.paragraph("CREAM, 2009, 52 685 jobs in 4 days: DONE_OK 52684, ABORTED 1.");
        if (!protocol.failures().isEmpty()) {
            html.table("failure reason", "jobs");
            protocol.failures().forEach((reason, count) -> html.row(true, reason, Long.toString(count)));
            html.endTable();
        }
        html.heading("Acceptance criteria (Table 4 of the report)").table("criterion", "CREAM 2009", "scenario here");
        Criteria.ROWS.forEach(row -> html.row(false, row.criterion(), row.published(), row.scenario()));
        html.endTable();
    }

    private static void numbers(Html html, RunRecord protocol) {
        html.heading("Counted").table("name", "value");
        protocol.counts().forEach((name, value) -> html.row(false, name, number(value.doubleValue())));
        html.endTable();
        html.heading("Latencies, ms").table("call", "number", "p50", "p90", "p95", "p99", "longest");
        protocol.latencies()
                .forEach((name, l) -> html.row(
                        false,
                        name,
                        Long.toString(l.count()),
                        number(l.millis(50)),
                        number(l.millis(90)),
                        number(l.millis(95)),
                        number(l.millis(99)),
                        number(l.millis(100))));
        html.endTable();
    }

    /** Whole numbers as such, others with three digits after the point. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.3f", value);
    }
}
