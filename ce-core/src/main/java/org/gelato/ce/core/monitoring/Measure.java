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
    DESCRIPTORS(Kind.OWN, "process.files.open"),
    /** Bytes of the JVM's heap in use. */
    MEMORY_HEAP(Kind.OWN, "jvm.memory.used area=heap"),
    /** Resident bytes of the JVM. */
    MEMORY_JVM(Kind.OWN),
    /** Resident bytes of the built-in database. */
    MEMORY_DATABASE(Kind.OWN),
    /** Resident bytes of the helper and its workers. */
    MEMORY_HELPER(Kind.OWN),
    HAND_OVER_WINDOW(Kind.OWN, "ce.lrms.window"),
    /** 1 while the hand-over pauses. */
    HAND_OVER_PAUSED(Kind.SHARED, "ce.lrms.paused"),
    REGISTERED(Kind.COUNT, "ce.jobs.registered"),
    HANDED_OVER(Kind.COUNT, "ce.jobs.handed.over"),
    DONE_OK(Kind.COUNT, "ce.jobs.ended state=DONE-OK"),
    DONE_FAILED(Kind.COUNT, "ce.jobs.ended state=DONE-FAILED"),
    CANCELLED(Kind.COUNT, "ce.jobs.ended state=CANCELLED"),
    ABORTED(Kind.COUNT, "ce.jobs.ended state=ABORTED"),
    /** Calls that ended by a defect, or because a part does not respond. */
    REQUESTS_FAILED(Kind.COUNT),
    /** Seconds of CPU of the JVM. */
    CPU_JVM(Kind.COUNT),
    /** Seconds of CPU of the built-in database. */
    CPU_DATABASE(Kind.COUNT),
    /** Seconds of CPU of the helper and its workers, without the commands they ran. */
    CPU_HELPER(Kind.COUNT),
    STARTS_COMMANDS(Kind.COUNT, "ce.process.starts kind=command"),
    STARTS_WORKERS(Kind.COUNT, "ce.process.starts kind=worker"),
    /** Starts of helpers and built-in databases. */
    STARTS_SERVERS(Kind.COUNT),
    STATEMENTS(Kind.COUNT, "ce.sql.statements"),
    COMMITS(Kind.COUNT, "ce.commits");

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
    private final String meter;

    Measure(Kind kind) {
        this(kind, null);
    }

    Measure(Kind kind, String meter) {
        this.kind = kind;
        this.meter = meter;
    }

    /**
     * The meter of {@code /metrics} that it records, as {@code NAME} or {@code NAME TAG=VALUE}: the sum of those that are so. Null for
     * what only the page has, or the database of all nodes.
     */
    public String meter() {
        return meter;
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
