package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Purges come bunch by bunch, and not while they are queued. */
class LanesTest {
    private final Lanes lanes = new Lanes(Map.of(), 10); // 40 places for purges

    @BeforeEach
    void nothingWaits() {
        lanes.looked(lanes.room(), List.of());
    }

    @Test
    void theNextPurgesAreClaimedWhenMostOfTheLastAreDone() {
        Lanes.Places few = lanes.reserve(CommandKind.JOB_PURGE, 5).orElseThrow();
        assertThat(lanes.room()).containsEntry(Lane.PURGE, 35);
        Lanes.Places one = lanes.reserve(CommandKind.JOB_PURGE, 1).orElseThrow();
        assertThat(lanes.room()).doesNotContainKey(Lane.PURGE).containsKey(Lane.CONTROL);
        one.taken(List.of());
        assertThat(lanes.room()).containsEntry(Lane.PURGE, 35);
        few.taken(List.of());
        assertThat(lanes.room()).containsEntry(Lane.PURGE, 40);
    }

    @Test
    void aHeldLaneIsNotClaimedUntilTheLastHoldEnds() {
        AtomicInteger freed = new AtomicInteger();
        DirectClaims.Hold first = lanes.hold(CommandKind.JOB_PURGE, freed::incrementAndGet);
        DirectClaims.Hold second = lanes.hold(CommandKind.JOB_PURGE, freed::incrementAndGet);
        assertThat(lanes.room()).doesNotContainKey(Lane.PURGE).containsKey(Lane.CONTROL);
        assertThat(lanes.reserve(CommandKind.JOB_PURGE, 1)).isEmpty();
        first.close();
        assertThat(lanes.room()).doesNotContainKey(Lane.PURGE);
        second.close();
        assertThat(lanes.room()).containsEntry(Lane.PURGE, 40);
        assertThat(freed).hasValue(2);
    }
}
