package org.gelato.ce.ws.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
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

    /** What ends next, the database above all, is still there for it. */
    @Test
    void theEndWaitsForWorkThatRunsAndNotForWhatIsDueLater() throws InterruptedException {
        ScheduledExecutorService scheduler = Sweeps.scheduler(1, Thread::new);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        AtomicReference<String> outcome = new AtomicReference<>("none");
        scheduler.execute(() -> {
            begun.countDown();
            try {
                ends.await();
                outcome.set("done");
            } catch (InterruptedException e) {
                outcome.set("interrupted");
            }
        });
        scheduler.schedule(() -> outcome.set("begun"), 1, TimeUnit.HOURS);
        begun.await();
        Thread end = new Thread(() -> Sweeps.end(scheduler));
        end.start();
        Awaitility.await().until(scheduler::isShutdown);
        ends.countDown();
        end.join();
        assertThat(outcome).hasValue("done");
        assertThat(scheduler.isTerminated()).isTrue();
    }
}
