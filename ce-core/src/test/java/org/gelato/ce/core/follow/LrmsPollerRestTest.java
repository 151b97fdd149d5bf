package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LrmsPollerRestTest {
    private static final Duration FLOOR = Duration.ofSeconds(5);

    private static Duration rest(Integer... seconds) {
        List<Long> rounds =
                Stream.of(seconds).map(s -> Duration.ofSeconds(s).toNanos()).toList();
        return LrmsPoller.rest(rounds, FLOOR);
    }

    @Test
    void itIsTenRoundsAndNeverUnderTheFloor() {
        assertThat(rest(0)).isEqualTo(FLOOR);
        assertThat(rest(3)).isEqualTo(Duration.ofSeconds(30));
        assertThat(rest(4, 3, 5)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void oneRoundThatMetAHiccupIsNotWhatRoundsTake() {
        assertThat(rest(0, 0, 100)).isEqualTo(FLOOR);
        assertThat(rest(100, 0)).isEqualTo(FLOOR);
        assertThat(rest(100, 90, 110)).isEqualTo(Duration.ofMinutes(15));
    }
}
