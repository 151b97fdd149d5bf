package org.gelato.ce.core.monitoring;

import java.util.Locale;

/** What series are kept of; the name in lower case is the column of the table {@code series_point}. */
public enum Measure {
    JOBS_REGISTERED(Kind.SHARED),
    JOBS_PENDING(Kind.SHARED),
    JOBS_IDLE(Kind.SHARED),
    JOBS_RUNNING(Kind.SHARED),
    JOBS_REALLY_RUNNING(Kind.SHARED),
    JOBS_HELD(Kind.SHARED),
    WAITING_CONTROL(Kind.SHARED),
    WAITING_HAND_OVER(Kind.SHARED),
    WAITING_PURGE(Kind.SHARED),
    WAITING_OTHER(Kind.SHARED),
    /** Age of the command that has waited longest, in seconds. */
    OLDEST_WAITING(Kind.SHARED),
    /** Age of the job that has waited longest in its state, here or in the batch system, in seconds. */
    OLDEST_JOB(Kind.SHARED),
    DESCRIPTORS(Kind.OWN),
    /** Bytes of the JVM's heap in use. */
    MEMORY_HEAP(Kind.OWN),
    /** Resident bytes of the JVM. */
    MEMORY_JVM(Kind.OWN),
    /** Resident bytes of the built-in database. */
    MEMORY_DATABASE(Kind.OWN),
    /** Resident bytes of the helper and its workers. */
    MEMORY_HELPER(Kind.OWN),
    HAND_OVER_WINDOW(Kind.OWN),
    /** 1 while the hand-over pauses. */
    HAND_OVER_PAUSED(Kind.SHARED),
    REGISTERED(Kind.COUNT),
    HANDED_OVER(Kind.COUNT),
    DONE_OK(Kind.COUNT),
    DONE_FAILED(Kind.COUNT),
    CANCELLED(Kind.COUNT),
    ABORTED(Kind.COUNT),
    /** Calls that ended by a defect, or because a part does not respond. */
    REQUESTS_FAILED(Kind.COUNT),
    /** Seconds of CPU of the JVM. */
    CPU_JVM(Kind.COUNT),
    /** Seconds of CPU of the built-in database. */
    CPU_DATABASE(Kind.COUNT),
    /** Seconds of CPU of the helper and its workers, without the commands they ran. */
    CPU_HELPER(Kind.COUNT),
    STARTS_COMMANDS(Kind.COUNT),
    STARTS_WORKERS(Kind.COUNT),
    /** Starts of helpers and built-in databases. */
    STARTS_SERVERS(Kind.COUNT),
    STATEMENTS(Kind.COUNT),
    COMMITS(Kind.COUNT);

    /** How values of different moments and nodes make one. */
    public enum Kind {
        /** A level that each node sees of all: the mean over moments and nodes. */
        SHARED,
        /** A level of a node: the mean over moments, the sum over nodes. */
        OWN,
        /** What a node counted: the sum over moments; read as a rate per second, summed over nodes. */
        COUNT
    }

    private final Kind kind;

    Measure(Kind kind) {
        this.kind = kind;
    }

    /** How its values are put together. */
    public Kind kind() {
        return kind;
    }

    /** The column in the database. */
    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
