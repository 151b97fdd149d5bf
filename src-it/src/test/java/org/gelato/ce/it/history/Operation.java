package org.gelato.ce.it.history;

/** What a client asks of the CE. */
enum Operation {
    DELEGATE,
    RENEW,
    /** Makes a job that is not started. */
    REGISTER,
    /** Makes a job and starts it: {@code autoStart} of CREAM2, any submission of ARC REST. */
    SUBMIT,
    START,
    /** CREAM2's cancel, which refuses jobs on their way to the batch system. */
    CANCEL,
    /** ARC's, which takes every job that has not ended. */
    KILL,
    PURGE,
    /** ARC's purge, which is deferred where the job is being cancelled. */
    CLEAN,
    SUSPEND,
    RESUME,
    STATUS,
    LIST,
    EVENTS;

    /** Whether it makes jobs, whose ids its answer has. */
    boolean makesJobs() {
        return this == REGISTER || this == SUBMIT;
    }

    /** Whether it is about one job that exists. */
    boolean isOfOneJob() {
        return switch (this) {
            case START, CANCEL, KILL, PURGE, CLEAN, SUSPEND, RESUME, STATUS -> true;
            default -> false;
        };
    }

    /** Whether an answer is all that it leaves. */
    boolean isRead() {
        return this == STATUS || this == LIST || this == EVENTS;
    }
}
