package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReliabilityRunsTest {
    private static final String EMPTY = """
            Words.

            <!-- begin runs -->
            |run|test|operations|jobs|faults|lost|doubled|unexplained|
            |---|---|---|---|---|---|---|---|
            <!-- end runs -->

            <!-- begin kinds -->
            <!-- end kinds -->
            More.
            """;

    private static ReliabilityRuns.Run run(String date, Map<String, Long> faults) {
        return new ReliabilityRuns.Run(date, List.of("Histories"), 100, 20, faults, 0, 0, 1);
    }

    @Test
    void runsAreAddedUp() {
        String first = ReliabilityRuns.with(EMPTY, run("2026-11-28", Map.of("B", 2L)));
        assertThat(ReliabilityRuns.with(first, run("2026-11-29", Map.of("B", 1L, "A", 3L))))
                .isEqualTo("""
                Words.

                <!-- begin runs -->
                |run|test|operations|jobs|faults|lost|doubled|unexplained|
                |---|---|---|---|---|---|---|---|
                |2026-11-28|Histories|100|20|2|0|0|1|
                |2026-11-29|Histories|100|20|4|0|0|1|
                |all||200|40|6|0|0|2|
                <!-- end runs -->

                <!-- begin kinds -->
                `A` 3, `B` 3
                <!-- end kinds -->
                More.
                """);
    }
}
