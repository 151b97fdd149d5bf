package org.gelato.ce.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RatioTest {
    private static final Ratio BOUNDED = new Ratio("ours_to_naive", "ours", "naive", 1.5);
    private static final Ratio UNBOUNDED = new Ratio("unbounded", "ours", "naive", Double.POSITIVE_INFINITY);

    private static Map<String, Score> scores(double ours, double naive) {
        return Map.of("ours", score("ours", ours), "naive", score("naive", naive));
    }

    private static Score score(String name, double median) {
        return new Score(name, median, median, median, "us/op");
    }

    @Test
    void aRatioAtItsBoundHolds() {
        Ratio.Measured measured = BOUNDED.measured(scores(15, 10));
        assertThat(measured.value()).isEqualTo(1.5);
        assertThat(measured.holds()).isTrue();
        assertThat(JmhReport.broken(List.of(measured), true)).isEmpty();
    }

    @Test
    void aRatioAboveItsBoundIsBroken() {
        Ratio.Measured measured = BOUNDED.measured(scores(15.1, 10));
        assertThat(JmhReport.broken(List.of(measured), true)).containsExactly(measured);
        assertThat(measured).hasToString("ours_to_naive is 1.51, the bound is 1.50");
    }

    @Test
    void aRatioThatIsOnlyReportedNeverBreaks() {
        assertThat(JmhReport.broken(List.of(UNBOUNDED.measured(scores(1000, 1))), true))
                .isEmpty();
    }

    @Test
    void whatWasNotMeasuredBreaksAWholeRunOnly() {
        Ratio.Measured missing = BOUNDED.measured(Map.of("ours", score("ours", 1)));
        assertThat(missing.isMissing()).isTrue();
        assertThat(missing.holds()).isFalse();
        assertThat(missing).hasToString("ours_to_naive was not measured");
        assertThat(JmhReport.broken(List.of(missing), true)).containsExactly(missing);
        assertThat(JmhReport.broken(List.of(missing), false)).isEmpty();
    }

    @Test
    void aNumberThatIsNoneDoesNotHold() {
        assertThat(JmhReport.broken(List.of(BOUNDED.measured(scores(0, 0))), true))
                .hasSize(1);
    }

    @Test
    void namesCarryTheParametersInOrder() {
        assertThat(Score.name(
                        "org.gelato.ce.benchmarks.QueueBenchmark.claim", Map.of("queue", "OURS", "claimers", "40")))
                .isEqualTo("QueueBenchmark.claim(claimers=40, queue=OURS)");
        assertThat(Score.name("TextBenchmark.wrapper", Map.of())).isEqualTo("TextBenchmark.wrapper");
    }

    @Test
    void aQuickRunAndAFullOneMeasureAllThatTheRatiosCompare() {
        for (List<Pass> passes : List.of(Pass.quick(), Pass.full())) {
            Set<String> measured = new HashSet<>();
            passes.forEach(pass -> measured.addAll(names(pass)));
            for (Ratio ratio : Ratio.all(Pass.LEAST, Pass.MAX)) {
                assertThat(measured).as(ratio.name()).contains(ratio.of(), ratio.to());
            }
        }
    }

    /** The names of all scores of a pass, by the parameters in the sources. */
    private static Set<String> names(Pass pass) {
        Set<String> names = new HashSet<>();
        for (String benchmark : pass.benchmarks()) {
            Map<String, List<String>> parameters = new HashMap<>();
            if (benchmark.startsWith("QueueBenchmark.")) {
                parameters.put("queue", List.of("OURS", "NAIVE", "DB_SCHEDULER"));
                parameters.put("claimers", List.of("1", "40"));
            } else if (benchmark.startsWith("RegisterBenchmark.")) {
                parameters.put("jobs", List.of("1", "100"));
            } else if (benchmark.startsWith("StoredBenchmark.")) {
                parameters.put("stored", List.of("5000", "70000", "200000"));
                if (benchmark.contains("status")) {
                    parameters.put("ids", List.of("1", "100", "5000"));
                }
            }
            parameters.replaceAll((name, values) -> pass.parameters().containsKey(name)
                    ? List.of(pass.parameters().get(name))
                    : values);
            List<Map<String, String>> all = List.of(Map.of());
            for (Map.Entry<String, List<String>> one : parameters.entrySet()) {
                all = all.stream()
                        .flatMap(before -> one.getValue().stream().map(value -> {
                            Map<String, String> more = new HashMap<>(before);
                            more.put(one.getKey(), value);
                            return more;
                        }))
                        .toList();
            }
            all.forEach(chosen -> names.add(Score.name(benchmark, chosen)));
        }
        return names;
    }
}
