package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What makes the claimer query, and what does not. */
class ClaimTriggerTest {
    private final ClaimTrigger looks = new ClaimTrigger();
    private final AtomicBoolean room = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private final List<Boolean> everywhere = new CopyOnWriteArrayList<>();

    private boolean room() {
        asked.incrementAndGet();
        return room.get();
    }

    private Thread claimer() {
        Thread claimer = new Thread(() -> {
            try {
                everywhere.add(looks.await(this::room, () -> null));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        claimer.setDaemon(true);
        claimer.start();
        return claimer;
    }

    @Test
    void aFreedPlaceIsNoReasonUnlessItsLaneHasRoom() throws InterruptedException {
        Thread claimer = claimer();
        for (int i = 1; i <= 5; i++) {
            int calls = i;
            await().until(() -> asked.get() == calls);
            if (i == 5) {
                room.set(true);
            }
            looks.freed();
        }
        claimer.join();
        assertThat(asked).hasValue(6);
        assertThat(everywhere).containsExactly(false);
    }

    @Test
    void whatWasQueuedBeforeIsLookedForAtOnce() throws InterruptedException {
        looks.queued();
        assertThat(looks.await(this::room, () -> null)).isTrue();
        assertThat(asked).hasValue(0);
    }

    @Test
    void whatIsQueuedMeanwhileIsLookedForAtOnce() throws InterruptedException {
        Thread claimer = claimer();
        await().until(() -> asked.get() > 0);
        looks.queued();
        claimer.join();
        assertThat(asked).hasValue(1);
        assertThat(everywhere).containsExactly(true);
    }

    @Test
    void aBatchSystemsRoomIsCheckedWhenItsTimeHasCome() throws InterruptedException {
        assertThat(looks.await(() -> asked.incrementAndGet() == 2, () -> Duration.ofMillis(1)))
                .isFalse();
    }

    @Test
    void withoutNotificationsAllLanesAreQueriedAfterSomeSeconds() throws InterruptedException {
        assertThat(looks.await(this::room, () -> Duration.ofMillis(200))).isTrue();
        room.set(true);
        assertThat(looks.await(this::room, () -> null)).isFalse();
        looks.queued();
        assertThat(looks.await(this::room, () -> null)).isTrue();
        assertThat(looks.await(this::room, () -> null)).isFalse();
    }
}
