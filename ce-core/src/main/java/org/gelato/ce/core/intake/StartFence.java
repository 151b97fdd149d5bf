package org.gelato.ce.core.intake;

/** Says which wrapper runs a job, where wrappers cannot agree on it in a shared sandbox. Thread-safe. */
public interface StartFence {
    /** The results of a claim. */
    enum Verdict {
        /** The job is this wrapper's, now or already before. */
        GRANTED,
        /** Another wrapper has it. */
        TAKEN,
        /** Nobody should run it: it has ended, is being cancelled, or is gone. */
        OVER,
        /** The secret is not the job's. */
        REFUSED
    }

    /** Decides once: a job that was granted is never another wrapper's. What is granted makes the job RUNNING. */
    Verdict claim(FenceRequest claim);
}
