package org.gelato.ce.perf.stub;

import java.time.Instant;
import java.util.concurrent.Future;
import org.gelato.ce.core.lrms.LrmsJob;

/** One job of {@link StubLrms}; touched by its thread alone. */
final class StubJob {
    static final String NODE = "stub-node";

    final String id;
    final String tag;
    /** Null after its end: tens of thousands of ended jobs are remembered, in the memory of the JVM that is measured. */
    SimulatedWrapper wrapper;

    LrmsJob.State state = LrmsJob.State.QUEUED;
    /** What happens to it next by the clock; null when nothing does. */
    Future<?> next;
    /** Null before its end. */
    Instant endedAt;

    private boolean ran;
    private Integer exit;
    private String reason;

    StubJob(String id, String tag, SimulatedWrapper wrapper) {
        this.id = id;
        this.tag = tag;
        this.wrapper = wrapper;
    }

    void run() {
        state = LrmsJob.State.RUNNING;
        ran = true;
    }

    void end(LrmsJob.State how, Integer code, String why, Instant at) {
        state = how;
        exit = code;
        reason = why;
        endedAt = at;
        next = null;
        wrapper = null;
    }

    boolean hasEnded() {
        return endedAt != null;
    }

    LrmsJob shown() {
        return new LrmsJob(id, tag, state, exit, reason, ran ? NODE : null);
    }
}
