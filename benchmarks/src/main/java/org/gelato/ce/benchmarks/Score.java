package org.gelato.ce.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.ListStatistics;

/**
 * What one benchmark with its parameters scored.
 *
 * @param name {@code Class.method} and the parameters, as {@code Class.method(a=1, b=2)}
 * @param median of the iterations, in the unit; a single disturbed iteration does not move it
 * @param unit as JMH writes it, time per operation
 */
record Score(String name, double median, double least, double most, String unit) {
    /** Of the results of JMH's; those of one benchmark, measured several times in a run, make one score. */
    static List<Score> all(Collection<RunResult> results) {
        Map<String, List<RunResult>> byName = new LinkedHashMap<>();
        results.forEach(result -> byName.computeIfAbsent(nameOf(result), name -> new ArrayList<>())
                .add(result));
        return byName.entrySet().stream().map(e -> of(e.getKey(), e.getValue())).toList();
    }

    private static Score of(String name, List<RunResult> results) {
        ListStatistics all = new ListStatistics();
        results.stream()
                .flatMap(result -> result.getBenchmarkResults().stream())
                .flatMap(result -> result.getIterationResults().stream())
                .forEach(iteration -> all.addValue(iteration.getPrimaryResult().getScore()));
        String unit = results.get(0).getPrimaryResult().getScoreUnit();
        return new Score(name, all.getPercentile(50), all.getMin(), all.getMax(), unit);
    }

    private static String nameOf(RunResult result) {
        Map<String, String> parameters = new TreeMap<>();
        result.getParams()
                .getParamsKeys()
                .forEach(k -> parameters.put(k, result.getParams().getParam(k)));
        return name(result.getParams().getBenchmark(), parameters);
    }

    /** The name of a benchmark, whose own name may begin with its package, with parameters. */
    static String name(String benchmark, Map<String, String> parameters) {
        String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
        String type = benchmark.substring(0, benchmark.length() - method.length() - 1);
        String plain = type.substring(type.lastIndexOf('.') + 1) + "." + method;
        return parameters.isEmpty()
                ? plain
                : new TreeMap<>(parameters)
                        .entrySet().stream()
                                .map(e -> e.getKey() + "=" + e.getValue())
                                .collect(Collectors.joining(", ", plain + "(", ")"));
    }
}
