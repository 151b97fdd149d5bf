package org.gelato.ce.core.job;

import java.time.Instant;

/** What several changes of one job, in their order, make of its row. Not thread-safe. */
final class JobUpdate {
    private final int id;
    private JobStateMachine.Change last;
    private String node;
    private String lrmsId;
    private Instant running;
    private Instant ended;

    JobUpdate(int id) {
        this.id = id;
    }

    void add(JobStore.Stored stored) {
        last = stored.change();
        node = stored.node() == null ? node : stored.node();
        lrmsId = lrmsId == null ? stored.lrmsId() : lrmsId;
        JobState state = last.state();
        if (running == null && (state == JobState.RUNNING || state == JobState.REALLY_RUNNING)) {
            running = last.at();
        }
        if (ended == null && state.isFinal()) {
            ended = last.at();
        }
    }

    /** In the order of {@link JobStore#CHANGED}. */
    Object[] values() {
        JobState before = last.stateBeforeHold();
        return new Object[] {
            id,
            last.state().code(),
            before == null ? null : before.code(),
            last.at(),
            last.exitCode(),
            JobStore.cut(last.failureReason(), 2048),
            JobStore.cut(last.description(), 512),
            JobStore.cut(node, 255),
            lrmsId,
            running,
            ended
        };
    }
}
