package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.Test;

class LastEndsTest {
    private static final Instant T = Instant.parse("2026-01-02T03:04:05Z");

    private static LastEnds of(int rows) {
        return new LastEnds(
                "fake", IntStream.range(0, rows).mapToObj(LastEndsTest::row).toList());
    }

    private static JobRow row(int id) {
        return new JobRow(
                id,
                1,
                1,
                JobState.DONE_OK,
                null,
                T,
                JobRow.HandOver.DONE,
                1,
                null,
                "" + id,
                "wn1",
                null,
                null,
                null,
                T,
                T,
                "d",
                null,
                1);
    }

    @Test
    void allAreAskedAboutInSlices() {
        LastEnds ends = of(2 * LastEnds.SLICE + 2);
        int asked = 0;
        for (int round = 0; round < 3; round++) {
            List<JobRow> slice = ends.next(Set.of("7"));
            assertThat(slice).hasSizeLessThanOrEqualTo(LastEnds.SLICE);
            asked += slice.size();
            ends.compared();
        }
        assertThat(asked).as("without the one that is shown").isEqualTo(2 * LastEnds.SLICE + 1);
        assertThat(ends.isEmpty()).isTrue();
    }

    @Test
    void aHistoryThatDoesNotRespondIsNotAskedForEver() {
        LastEnds ends = of(4 * LastEnds.SLICE);
        int asked = 0;
        while (!ends.isEmpty()) {
            assertThat(ends.next(Set.of())).hasSize(LastEnds.SLICE);
            ends.failed(new TimeoutException());
            asked++;
        }
        assertThat(asked).isEqualTo(LastEnds.TRIES + 3);
    }

    @Test
    void aSliceThatFailedIsAskedAboutAgain() {
        LastEnds ends = of(2);
        ends.next(Set.of());
        ends.failed(new TimeoutException());
        assertThat(ends.next(Set.of())).hasSize(2);
    }
}
