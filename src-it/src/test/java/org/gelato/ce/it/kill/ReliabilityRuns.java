package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table of docs/developer/reliability-runs.md, which runs write themselves, with their sums, and the faults of all by kind.
 */
public final class ReliabilityRuns {
    static final Path PAGE = Path.of("..", "docs", "developer", "reliability-runs.md");

    private static final String RUNS = "runs";
    private static final String KINDS = "kinds";
    private static final String SUM = "|all|";
    /** Columns of a run that are added up; the others before them are words. */
    private static final int NUMBERS = 6;

    private static final int LINES_OF_THE_HEAD = 2;
    private static final Pattern KIND = Pattern.compile("`(\\w+)` (\\d+)");

    private ReliabilityRuns() {}

    /**
     * A run.
     *
     * @param date as in 2026-11-28
     * @param what the test, batch system, front ends and seeds, as cells of the table
     * @param faults by kind
     */
    public record Run(
            String date,
            List<String> what,
            long operations,
            long jobs,
            Map<String, Long> faults,
            long lost,
            long doubled,
            long unexplained) {
        private String row() {
            long all = faults.values().stream().mapToLong(Long::longValue).sum();
            List<String> cells = new ArrayList<>(List.of(date));
            cells.addAll(what);
            for (long number : new long[] {operations, jobs, all, lost, doubled, unexplained}) {
                cells.add(Long.toString(number));
            }
            return "|" + String.join("|", cells) + "|";
        }
    }

    /** Adds a run to the page. */
    public static void record(Run run) {
        try {
            Files.writeString(PAGE, with(Files.readString(PAGE), run));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String with(String page, Run run) {
        List<String> runs = rows(page);
        runs.removeIf(row -> row.startsWith(SUM));
        runs.add(run.row());
        runs.add(sum(runs));
        Map<String, Long> kinds = new TreeMap<>();
        Matcher known = KIND.matcher(between(page, KINDS));
        while (known.find()) {
            kinds.put(known.group(1), Long.parseLong(known.group(2)));
        }
        run.faults().forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
        String counts = kinds.entrySet().stream()
                .map(e -> '`' + e.getKey() + "` " + e.getValue())
                .collect(Collectors.joining(", ", "", "\n"));
        return replaced(replaced(page, RUNS, head(page) + String.join("\n", runs) + "\n"), KINDS, counts);
    }

    private static String sum(List<String> runs) {
        long[] sums = new long[NUMBERS];
        int words = 0;
        for (String row : runs) {
            List<String> cells = cells(row);
            words = cells.size() - NUMBERS;
            for (int i = 0; i < NUMBERS; i++) {
                sums[i] += Long.parseLong(cells.get(words + i));
            }
        }
        StringBuilder row = new StringBuilder(SUM).append("|".repeat(words - 1));
        IntStream.range(0, NUMBERS).forEach(i -> row.append(sums[i]).append('|'));
        return row.toString();
    }

    private static List<String> cells(String row) {
        List<String> cells = new ArrayList<>();
        for (String cell : row.substring(1, row.length() - 1).split("\\|", -1)) {
            cells.add(cell.strip());
        }
        return cells;
    }

    private static String begin(String table) {
        return "<!-- begin " + table + " -->\n";
    }

    private static String end(String table) {
        return "<!-- end " + table + " -->";
    }

    private static String between(String page, String table) {
        return page.substring(page.indexOf(begin(table)) + begin(table).length(), page.indexOf(end(table)));
    }

    private static List<String> rows(String page) {
        return new ArrayList<>(
                between(page, RUNS).lines().skip(LINES_OF_THE_HEAD).toList());
    }

    private static String head(String page) {
        return between(page, RUNS).lines().limit(LINES_OF_THE_HEAD).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String replaced(String page, String table, String text) {
        int from = page.indexOf(begin(table)) + begin(table).length();
        return page.substring(0, from) + text + page.substring(page.indexOf(end(table)));
    }
}
