package org.gelato.ce.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ClockStepsTest {
    private Instant time = Instant.parse("2026-10-25T00:59:00Z");
    private long tick = Long.MAX_VALUE - 5;
    private final ClockSteps steps = new ClockSteps(((InstantSource) () -> time).withZone(ZoneOffset.UTC), () -> tick);

    private void pass(Duration byTheClock, Duration reallySo) {
        time = time.plus(byTheClock);
        tick += reallySo.toNanos();
    }

    @Test
    void aClockThatIsSetBackIsFoundOnce() {
        pass(Duration.ofSeconds(30 - 3600), Duration.ofSeconds(30));
        assertThat(steps.forward()).isEqualTo(Duration.ofHours(-1));
        pass(Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThat(steps.forward()).isZero();
    }

    @Test
    void oneThatIsSetForwardIsFoundOnceAndSlowCorrectionsAreNone() {
        pass(Duration.ofSeconds(3601), Duration.ofSeconds(1));
        assertThat(steps.forward()).isEqualTo(Duration.ofHours(1));
        pass(Duration.ofMillis(59_000), Duration.ofMillis(59_500));
        assertThat(steps.forward()).isZero();
    }
}
