package org.gelato.ce.core.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void waitsDoubleUpToABound() {
        Backoff backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));
        assertThat(backoff.after(0)).isZero();
        assertThat(backoff.after(1)).hasSeconds(5);
        assertThat(backoff.after(2)).hasSeconds(10);
        assertThat(backoff.after(4)).hasSeconds(40);
        assertThat(backoff.after(5)).hasSeconds(60);
        assertThat(backoff.after(Integer.MAX_VALUE)).hasSeconds(60);
    }

    @Test
    void aWaitIsPositive() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(Duration.ofMinutes(2), Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
