package org.gelato.ce.perf.jmh;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * What one benchmark with its parameters scored.
 *
 * @param name {@code Class.method} and the parameters, as {@code Class.method(a=1, b=2)}
 * @param median of the iterations, in the unit; a single disturbed iteration does not move it
 * @param unit as JMH writes it, time per operation
 */
record Score(String name, double median, double least, double most, String unit) {
    /** Of a result of JMH's. */
    static Score of(RunResult result) {
        Statistics all = result.getPrimaryResult().getStatistics();
        Map<String, String> parameters = new TreeMap<>();
        result.getParams().getParamsKeys().forEach(k -> parameters.put(k, result.getParams().getParam(k)));
        return new Score(
                name(result.getParams().getBenchmark(), parameters),
                all.getPercentile(50),
                all.getMin(),
                all.getMax(),
                result.getPrimaryResult().getScoreUnit());
    }

    /** The name of a benchmark, whose own name may begin with its package, with parameters. */
    static String name(String benchmark, Map<String, String> parameters) {
        String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
        String type = benchmark.substring(0, benchmark.length() - method.length() - 1);
        String bare = type.substring(type.lastIndexOf('.') + 1) + "." + method;
        return parameters.isEmpty()
                ? bare
                : new TreeMap<>(parameters)
                        .entrySet().stream()
                                .map(e -> e.getKey() + "=" + e.getValue())
                                .collect(Collectors.joining(", ", bare + "(", ")"));
    }
}
