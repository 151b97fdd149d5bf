package org.gelato.ce.core.sweep;

import java.util.List;
import org.gelato.ce.core.job.DeferredPurges;
import org.gelato.ce.core.job.JobStore;

/**
 * Queues JOB_PURGE for jobs whose owners asked for it while they were being cancelled, once they have ended. Called on a schedule from
 * one thread per node; several nodes may run at once. Deferred purges are rows that go with their jobs ({@link DeferredPurges}), so
 * nothing is lost with a process.
 */
public final class DeferredPurgeSweeper {
    private final PurgeQueue purges;

    public DeferredPurgeSweeper(PurgeQueue purges) {
        this.purges = purges;
    }

    /** Queues what can be purged by now. @return purges queued */
    public int sweep() {
        int queued = 0;
        int after = 0;
        List<Integer> ended;
        do {
            int from = after;
            ended = purges.database().read(h -> DeferredPurges.ended(h, from, JobStore.SLICE));
            if (!ended.isEmpty()) {
                queued += purges.queue(ended, job -> job.state().isFinal())
                        .purges()
                        .size();
                after = ended.get(ended.size() - 1);
            }
        } while (ended.size() == JobStore.SLICE);
        return queued;
    }
}
