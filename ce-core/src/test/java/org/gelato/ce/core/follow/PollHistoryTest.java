package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class PollHistoryTest {
    private Instant now = Instant.EPOCH;

    private final PollHistory history = new PollHistory(((InstantSource) () -> now).withZone(ZoneOffset.UTC));

    @Test
    void beforeTheFirstPollNothingIsWrong() {
        now = now.plusSeconds(1000);
        assertThat(history.isBroken()).isFalse();
        assertThat(history.trouble()).isNull();
        assertThat(history.outdatedSince()).isNull();
        assertThat(history.notPolledSince()).isNull();
        assertThat(history.age()).isEqualTo(Duration.ofSeconds(1000));
    }

    @Test
    void oneFailureIsReportedAndThreeAreTooMany() {
        history.failed("cut");
        assertThat(history.isBroken()).isFalse();
        assertThat(history.trouble()).isEqualTo("the last poll failed, none succeeded since the start 0 s ago: cut");
        history.failed("cut");
        assertThat(history.isBroken()).isFalse();
        history.failed("cut");
        assertThat(history.isBroken()).isTrue();
        assertThat(history.outdatedSince()).as("there was no good poll").isNull();
        assertThat(history.notPolledSince()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void aSuccessfulPollClearsAllFailures() {
        history.good();
        now = now.plusSeconds(30);
        for (int i = 0; i < 3; i++) {
            history.failed("x".repeat(1000));
        }
        assertThat(history.outdatedSince()).isEqualTo(Instant.EPOCH);
        assertThat(history.notPolledSince()).isNull();
        assertThat(history.trouble())
                .startsWith("the last 3 polls failed, the last successful one was 30 s ago: xxx")
                .hasSizeLessThan(400);
        history.good();
        assertThat(history.isBroken()).isFalse();
        assertThat(history.outdatedSince()).isNull();
        assertThat(history.trouble()).isNull();
        assertThat(history.age()).isZero();
        assertThat(history.failures()).isEqualTo(3);
    }
}
