package org.gelato.ce.it.history;

/** What a client asks of the CE. */
enum Operation {
    DELEGATE,
    /** The first half of a renewal: the CE makes a request for it. No client's. */
    ASK,
    /** Delegates a proxy again, also one that has ended. */
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
    /** Makes a lease, or renews it, for seconds. */
    LEASE_BRIEFLY,
    /** The same for longer than any history. */
    LEASE_LONG,
    /** Deletes a lease. */
    UNLEASE,
    /** Gives a job to a lease. */
    ATTACH,
    DETACH,
    STATUS,
    /** Messages of a job, or of all the owner's. */
    MESSAGES,
    LIST,
    EVENTS;

    /** Whether it makes jobs, whose ids its answer has. */
    boolean makesJobs() {
        return this == REGISTER || this == SUBMIT;
    }

    /** Whether it is about one job that exists, where its call names one. */
    boolean isOfOneJob() {
        return switch (this) {
            case START, CANCEL, KILL, PURGE, CLEAN, SUSPEND, RESUME, ATTACH, DETACH, STATUS, MESSAGES -> true;
            default -> false;
        };
    }

    /** Whether an answer is all that it leaves. */
    boolean isRead() {
        return this == STATUS || this == MESSAGES || this == LIST || this == EVENTS;
    }

    /** Whether it is, with its other half, about a delegation that is there. */
    boolean isOfDelegation() {
        return this == ASK || this == RENEW;
    }

    /** Whether it is about a lease, which all jobs of its owner may have. */
    boolean isOfLease() {
        return this == LEASE_BRIEFLY || this == LEASE_LONG || this == UNLEASE;
    }
}
