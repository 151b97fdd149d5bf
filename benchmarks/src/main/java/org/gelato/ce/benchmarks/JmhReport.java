package org.gelato.ce.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/** What a run measured: scores, ratios, and which of these are out of bounds. */
final class JmhReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Collection<RunResult> results;
    private final List<Score> scores;
    private final List<Ratio.Measured> ratios;
    private final boolean whole;

    /**
     * @param whole whether every ratio must have been measured
     */
    JmhReport(Collection<RunResult> results, List<Ratio> ratios, boolean whole) {
        this.results = results;
        this.whole = whole;
        scores = Score.all(results);
        Map<String, Score> byName = new LinkedHashMap<>();
        scores.forEach(s -> byName.put(s.name(), s));
        this.ratios = ratios.stream().map(r -> r.measured(byName)).toList();
    }

    /** The ratios that must hold and do not, those included that are missing from a whole run. */
    List<Ratio.Measured> broken() {
        return broken(ratios, whole);
    }

    static List<Ratio.Measured> broken(List<Ratio.Measured> ratios, boolean whole) {
        return ratios.stream()
                .filter(m -> m.isMissing() ? whole : m.ratio().isBounded() && !m.holds())
                .toList();
    }

    /** The table that is printed. */
    String table() {
        StringBuilder table = new StringBuilder();
        int width = scores.stream().mapToInt(s -> s.name().length()).max().orElse(0);
        String line = "%-" + Math.max(width, 40) + "s %14s %14s %14s  %s%n";
        table.append(String.format(Locale.ROOT, line, "benchmark", "median", "least", "most", "unit"));
        scores.forEach(s -> table.append(String.format(
                Locale.ROOT, line, s.name(), number(s.median()), number(s.least()), number(s.most()), s.unit())));
        table.append(String.format(Locale.ROOT, "%n" + line, "ratio", "value", "bound", "", ""));
        ratios.stream().filter(m -> whole || !m.isMissing()).forEach(m -> {
            String bound = m.ratio().isBounded() ? number(m.ratio().bound()) : "-";
            String value = m.isMissing() ? "missing" : number(m.value());
            table.append(String.format(Locale.ROOT, line, m.ratio().name(), value, bound, "", ""));
        });
        return table.toString();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    /** The machine, the ratios, and all of JMH's own result. */
    String json() {
        ObjectNode all = JSON.createObjectNode();
        all.put("commit", System.getProperty("gelato.perf.commit", "unknown"));
        all.put("processors", Runtime.getRuntime().availableProcessors());
        all.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        all.put("commands", QueueBenchmark.COMMANDS);
        for (Ratio.Measured m : ratios) {
            if (m.isMissing() && !whole) {
                continue;
            }
            ObjectNode one = all.withArray("/ratios").addObject();
            one.put("name", m.ratio().name());
            one.put("of", m.ratio().of());
            one.put("to", m.ratio().to());
            one.put("value", m.value());
            if (m.ratio().isBounded()) {
                one.put("bound", m.ratio().bound());
                one.put("holds", m.holds());
            }
        }
        for (Score s : scores) {
            ObjectNode one = all.withArray("/scores").addObject();
            one.put("name", s.name());
            one.put("median", s.median());
            one.put("least", s.least());
            one.put("most", s.most());
            one.put("unit", s.unit());
        }
        try {
            all.set("jmh", JSON.readTree(jmh()));
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("JMH's result is no JSON: " + e.getMessage(), e);
        }
    }

    private String jmh() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
