package org.gelato.ce.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimeLeftTest {
    private static final Instant BEGIN = Instant.parse("2026-11-20T12:00:00Z");

    private final TimeLeft left = new TimeLeft();

    @Test
    void theRateOfTheLastMinutesCounts() {
        left.note(BEGIN, 100);
        assertThat(left.of(50)).isEmpty();
        left.note(BEGIN.plusSeconds(60), 100);
        assertThat(left.of(50)).as("none has ended").isEmpty();
        left.note(BEGIN.plusSeconds(120), 110);
        assertThat(left.of(50)).contains(Duration.ofSeconds(600));
        for (int minute = 3; minute <= 20; minute++) {
            left.note(BEGIN.plusSeconds(60L * minute), 110 + minute);
        }
        assertThat(left.of(50)).as("the fast minutes are over").contains(Duration.ofMinutes(50));
    }
}
