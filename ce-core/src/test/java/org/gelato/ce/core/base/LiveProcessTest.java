package org.gelato.ce.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LiveProcessTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void aProcessThatEndedIsDeadThoughNobodyWaitsForIt() throws Exception {
        try (Orphan orphan = Orphan.start("sleep", "600")) {
            orphan.handle().destroy();
            assertThat(LiveProcess.awaitEnd(orphan.handle(), LONG)).isTrue();
            assertThat(orphan.handle().isAlive()).as("a zombie").isTrue();
            assertThat(LiveProcess.isAlive(orphan.handle())).isFalse();
        }
    }

    @Test
    void aProcessThatSleepsIsAliveAndIsWaitedForNoLongerThanAsked() throws Exception {
        try (Orphan orphan = Orphan.start("sleep", "600")) {
            assertThat(LiveProcess.isAlive(orphan.handle())).isTrue();
            assertThat(LiveProcess.awaitEnd(orphan.handle(), Duration.ofMillis(1)))
                    .isFalse();
        }
    }
}
