package org.gelato.ce.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Waits are of the monotonic clock: by one that is set back a gap was no reason for a fence until as much later. */
class EventHorizonTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // it may overflow
    private List<Long> committed = List.of(1L);
    private boolean writers;

    private final EventHorizon horizon = new EventHorizon(
            new EventIds() {
                @Override
                public long step() {
                    return 1;
                }

                @Override
                public List<Long> after(long id, int count) {
                    return committed.stream().filter(c -> c > id).toList();
                }

                @Override
                public OptionalLong last(boolean insist) {
                    return writers ? OptionalLong.empty() : OptionalLong.of(committed.get(committed.size() - 1));
                }
            },
            nanos::get,
            PATIENCE);

    private long after(Duration time) {
        nanos.addAndGet(time.toNanos());
        return horizon.renewed();
    }

    @Test
    void aGapIsFencedWhenItHasStayedForThePatience() {
        assertThat(horizon.renewed()).isEqualTo(1);
        committed = List.of(1L, 3L);
        assertThat(horizon.renewed()).isEqualTo(1);
        assertThat(after(PATIENCE.minusNanos(1))).isEqualTo(1);
        assertThat(after(Duration.ofNanos(1))).isEqualTo(3);
    }

    @Test
    void writersAreLeftAloneAfterAFenceThatMadeThemWait() {
        assertThat(horizon.renewed()).isEqualTo(1);
        writers = true;
        committed = List.of(1L, 3L);
        assertThat(horizon.renewed()).isEqualTo(1);
        assertThat(after(PATIENCE)).as("lets new writers pass").isEqualTo(1);
        assertThat(after(Duration.ZERO)).as("makes them wait").isEqualTo(1);
        writers = false;
        assertThat(after(Duration.ofSeconds(10).minusNanos(1))).isEqualTo(1);
        assertThat(after(Duration.ofNanos(1))).isEqualTo(3);
    }
}
