package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What makes the claimer look, and what does not. */
class LooksTest {
    private final Looks looks = new Looks();
    private final AtomicBoolean room = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();

    private boolean room() {
        asked.incrementAndGet();
        return room.get();
    }

    private Thread claimer() {
        Thread claimer = new Thread(() -> {
            try {
                while (true) {
                    looks.await(this::room, () -> null);
                    if (room.get()) {
                        return;
                    }
                    asked.set(-1000); // it would look though there is no room
                }
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
    }

    @Test
    void whatWasQueuedBeforeOrIsQueuedNowIsLookedForAtOnce() throws InterruptedException {
        looks.queued();
        looks.await(this::room, () -> null);
        assertThat(asked).hasValue(0);
        Thread waiting = new Thread(() -> {
            try {
                looks.await(this::room, () -> null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        waiting.start();
        await().until(() -> asked.get() > 0);
        looks.queued();
        waiting.join();
    }

    @Test
    void aBatchSystemsTimeIsKept() throws InterruptedException {
        looks.await(this::room, () -> Duration.ofMillis(1));
        assertThat(asked).hasValue(1);
    }
}
