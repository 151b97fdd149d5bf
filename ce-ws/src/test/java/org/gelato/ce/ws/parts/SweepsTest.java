package org.gelato.ce.ws.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SweepsTest {
    private final CountDownLatch runs = new CountDownLatch(3);

    private void failing() {
        runs.countDown();
        throw new NoClassDefFoundError("org/example/Gone");
    }

    @Test
    void workThatMeetsAnErrorHasItsNextTurn() throws InterruptedException {
        ScheduledExecutorService scheduler = Sweeps.scheduler(1, Thread::new);
        try {
            scheduler.scheduleWithFixedDelay(this::failing, 0, 1, TimeUnit.MILLISECONDS);
            assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            scheduler.shutdownNow();
        }
    }
}
