package org.gelato.ce.core.message;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes the {@link JournalReader} of this process when a row was marked for it. A lost signal delays: rows are also sought by time. */
public final class DueSignal {
    private final Semaphore raised = new Semaphore(0);

    /** Something was committed that is to be done soon. Never blocks. */
    public void raise() {
        if (raised.availablePermits() == 0) {
            raised.release();
        }
    }

    /** Waits until the signal is raised or a time has passed. */
    void await(Duration longest) throws InterruptedException {
        if (raised.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            raised.drainPermits();
        }
    }
}
