package org.gelato.ce.ws.boot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.dashboard.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verdict of the page at {@code /}, in a terminal on the CE's host. */
@Command(
        name = "status",
        description = {
            "Show whether all is well; or what is wrong, since when, whom it hits and what to do.",
            "Asks the CE that runs on this host, as root or as the CE's account and without a proxy: what the page at / says."
        },
        footer = {"", "Exit code: 0 the CE does its work, 1 it does not (or does not respond), 2 wrong command line."})
final class ServerStatus extends ServerCommand.Configured {
    private static final String PAGE = "/dashboard/data?span=hour";
    private static final int LONGEST = 1000;
    private static final String ERROR = "error";

    @Option(names = "--json", description = "Print verdict, checks and values as one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = out();
        JsonNode data = page(running(), PAGE, "see 'systemctl status gelato-ce' and 'journalctl -u gelato-ce -n 100'");
        if (json) {
            ObjectNode some = JSON.createObjectNode();
            Stream.of("time", "verdict", "checks", "now", "charts", "series")
                    .forEach(key -> some.set(key, data.path(key)));
            out.println(some);
        } else {
            text(data, Clock.systemUTC().instant()).forEach(out::println);
        }
        return data.path("verdict").path("level").asText().equals(ERROR) ? 1 : 0;
    }

    /** What people read. */
    static List<String> text(JsonNode data, Instant now) {
        Stream.Builder<String> lines = Stream.builder();
        JsonNode verdict = data.path("verdict");
        String level = verdict.path("level").asText();
        if (level.equals("ok") || level.equals("note")) {
            lines.add(("Everything works. " + line(verdict.path("calm"))).strip());
        }
        for (JsonNode problem : verdict.path("problems")) {
            lines.add(problem.path("level").asText().toUpperCase(Locale.ROOT) + ": " + line(problem.path("title")));
            String since = since(problem.path("since"), now);
            lines.add("  " + (since.isEmpty() ? "" : "Since " + since + ". ") + line(problem.path("text")));
            problem.path("commands").forEach(command -> lines.add("    " + line(command)));
            if (!problem.path("said").asText().isEmpty()
                    && !problem.path("said").isNull()) {
                lines.add("  In its words: " + line(problem.path("said")));
            }
        }
        numbers(data, now).forEach(lines);
        charts(data).forEach(lines);
        int failing = 0;
        for (JsonNode check : data.path("checks")) {
            if (!check.path("ok").asBoolean() || check.path("degraded").asBoolean()) {
                failing++;
                lines.add("check " + line(check.path("name")) + " is "
                        + (check.path("ok").asBoolean() ? "degraded" : "not ok") + ": " + line(check.path("detail")));
            }
        }
        int checks = data.path("checks").size();
        lines.add(
                failing == 0
                        ? "checks: all " + checks + " in order"
                        : "checks: " + failing + " of " + checks + " not in order");
        return lines.build().toList();
    }

    private static Stream<String> numbers(JsonNode data, Instant now) {
        JsonNode jobs = data.path("now").path("jobs");
        if (!jobs.isObject()) {
            return Stream.of("jobs: unknown, as the database does not respond");
        }
        JsonNode oldest = data.path("now").path("oldest");
        JsonNode first = data.path("failures").path(0);
        JsonNode batch = data.path("now").path("batch");
        String asOf = since(batch.path("asOf"), now);
        String notPolled = since(batch.path("notPolledSince"), now);
        String running = "running " + (count(jobs, "RUNNING") + count(jobs, "REALLY-RUNNING"));
        String here = "waiting " + count(jobs, "PENDING") + " here";
        String there = count(jobs, "IDLE") + " in " + line(batch.path("name"));
        String held = "held " + count(jobs, "HELD");
        String old = !asOf.isEmpty()
                ? "as of the last successful poll at " + asOf
                : notPolled.isEmpty() ? "" : "not polled since the start at " + notPolled;
        return Stream.of(
                        old.isEmpty()
                                ? running + ", " + here + " and " + there + ", " + held
                                : here + "; " + old + ": " + running + ", waiting " + there + ", " + held,
                        "failed in the last hour: " + data.path("failuresOf").asInt()
                                + (first.isObject() ? ", mostly: " + line(first.path("reason")) : ""),
                        oldest.isObject()
                                ? "oldest waiting job: " + line(oldest.path("id")) + ", since "
                                        + since(oldest.path("since"), now)
                                : "")
                .filter(text -> !text.isEmpty());
    }

    /** The latest values of the page's charts that are not zero; jobs by state are above them. */
    private static Stream<String> charts(JsonNode data) {
        return StreamSupport.stream(data.path("charts").spliterator(), false)
                .filter(chart -> !chart.path("unit").asText().equals("states"))
                .map(chart -> line(chart.path("title")) + ": "
                        + chart.path("lines").properties().stream()
                                .map(l -> Map.entry(l.getKey(), latest(l.getValue(), data.path("series"))))
                                .filter(l -> l.getValue() != 0)
                                .map(l -> Messages.line(l.getKey()) + " "
                                        + value(chart.path("unit").asText(), l.getValue()))
                                .collect(Collectors.joining(", ")))
                .filter(text -> !text.endsWith(": "));
    }

    /** The slot of this moment is not complete; a level in it is right all the same, and a rate too. */
    private static double latest(JsonNode names, JsonNode series) {
        double sum = 0;
        for (JsonNode name : names) {
            JsonNode column = series.path(name.asText());
            int last = column.size() - 1;
            sum += IntStream.of(last, last - 1, last - 2)
                    .mapToObj(column::path)
                    .filter(JsonNode::isNumber)
                    .findFirst()
                    .map(JsonNode::asDouble)
                    .orElse(0.0);
        }
        return sum;
    }

    private static String value(String unit, double value) {
        double shown = unit.equals("minute") ? 60 * value : unit.equals("bytes") ? value / (1 << 20) : value;
        return new BigDecimal(shown, new MathContext(3)).stripTrailingZeros().toPlainString()
                + Map.of("time", " s", "latency", " s", "bytes", " MiB").getOrDefault(unit, "");
    }

    private static long count(JsonNode jobs, String state) {
        return jobs.path(state).asLong();
    }

    /** A time and how long ago; empty when unknown. */
    private static String since(JsonNode time, Instant now) {
        try {
            Instant since = Instant.parse(time.asText());
            return since.truncatedTo(ChronoUnit.SECONDS) + " (" + Verdict.time(Duration.between(since, now)) + ")";
        } catch (DateTimeException e) {
            return "";
        }
    }

    private static String line(JsonNode text) {
        return Messages.line(text.asText(), LONGEST);
    }
}
