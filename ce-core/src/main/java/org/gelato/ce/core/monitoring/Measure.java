package org.gelato.ce.core.monitoring;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The registry of the numbers that are shown over time: how each is kept, and on which chart it is drawn under which label. Charts and
 * lines are drawn in the order in which they stand here. A series is stored under its name: never rename one.
 */
public enum Measure {
    JOBS_REGISTERED(Kind.SHARED, Chart.JOBS, "not started", "ce.jobs state=REGISTERED"),
    JOBS_HELD(Kind.SHARED, Chart.JOBS, "held", "ce.jobs state=HELD"),
    JOBS_PENDING(Kind.SHARED, Chart.JOBS, "waiting here", "ce.jobs state=PENDING"),
    JOBS_IDLE(Kind.SHARED, Chart.JOBS, "in the batch system", "ce.jobs state=IDLE"),
    JOBS_RUNNING(Kind.SHARED, Chart.JOBS, "running", "ce.jobs state=RUNNING"),
    JOBS_REALLY_RUNNING(Kind.SHARED, Chart.JOBS, "running", "ce.jobs state=REALLY-RUNNING"),
    /** Seconds of CPU of the JVM. */
    CPU_JVM(Kind.COUNT, Chart.CPU, "JVM"),
    /** Seconds of CPU of the built-in database. */
    CPU_DATABASE(Kind.COUNT, Chart.CPU, "database"),
    /** Seconds of CPU of the helper and its workers, without the commands they ran. */
    CPU_HELPER(Kind.COUNT, Chart.CPU, "helper"),
    REGISTERED(Kind.COUNT, Chart.RATES, "submitted", "ce.jobs.registered"),
    HANDED_OVER(Kind.COUNT, Chart.RATES, "handed over", "ce.jobs.handed.over"),
    DONE_OK(Kind.COUNT, Chart.RATES, "done", "ce.jobs.ended state=DONE-OK"),
    DONE_FAILED(Kind.COUNT, Chart.RATES, "failed", "ce.jobs.ended state=DONE-FAILED"),
    CANCELLED(Kind.COUNT, Chart.RATES, "cancelled", "ce.jobs.ended state=CANCELLED"),
    ABORTED(Kind.COUNT, Chart.RATES, "aborted", "ce.jobs.ended state=ABORTED"),
    /** Calls that ended by a defect, or because a part does not respond. */
    REQUESTS_FAILED(Kind.COUNT, Chart.FAILED_REQUESTS, "failed", "ce.requests outcome=failed"),
    WAITING_HAND_OVER(Kind.SHARED, Chart.WAITING, "hand-over"),
    WAITING_CONTROL(Kind.SHARED, Chart.WAITING, "control"),
    WAITING_PURGE(Kind.SHARED, Chart.WAITING, "purge"),
    WAITING_OTHER(Kind.SHARED, Chart.WAITING, "other"),
    /** Age of the command that has waited longest, in seconds. */
    OLDEST_WAITING(Kind.SHARED, Chart.OLDEST, "command"),
    /** Age of the job that has waited longest in its state, here or in the batch system, in seconds. */
    OLDEST_JOB(Kind.SHARED, Chart.OLDEST, "job"),
    HAND_OVER_WINDOW(Kind.OWN, Chart.WINDOW, "window", "ce.lrms.window"),
    /** 1 while the hand-over pauses. */
    HAND_OVER_PAUSED(Kind.SHARED, Chart.WINDOW, "paused (1)", "ce.lrms.paused"),
    /** Resident bytes of the JVM. */
    MEMORY_JVM(Kind.OWN, Chart.MEMORY, "JVM"),
    /** Bytes of the JVM's heap in use. */
    MEMORY_HEAP(Kind.OWN, Chart.MEMORY, "heap", "jvm.memory.used area=heap"),
    /** Resident bytes of the built-in database. */
    MEMORY_DATABASE(Kind.OWN, Chart.MEMORY, "database"),
    /** Resident bytes of the helper and its workers. */
    MEMORY_HELPER(Kind.OWN, Chart.MEMORY, "helper"),
    DESCRIPTORS(Kind.OWN, Chart.DESCRIPTORS, "JVM", "process.files.open"),
    STARTS_COMMANDS(Kind.COUNT, Chart.STARTS, "commands", "ce.process.starts kind=command"),
    STARTS_WORKERS(Kind.COUNT, Chart.STARTS, "workers", "ce.process.starts kind=worker"),
    /** Starts of helpers and built-in databases. */
    STARTS_SERVERS(Kind.COUNT, Chart.STARTS, "helpers and databases"),
    STATEMENTS(Kind.COUNT, Chart.DATABASE, "statements", "ce.sql.statements"),
    COMMITS(Kind.COUNT, Chart.DATABASE, "commits", "ce.commits");

    /** How values of different moments and nodes make one. */
    public enum Kind {
        /** A level that each node sees of all: the mean over moments and nodes. */
        SHARED,
        /** A level of a node: the mean over moments, the sum over nodes. */
        OWN,
        /** What a node counted: the sum over moments; read as a rate per second, summed over nodes. */
        COUNT
    }

    /** What is drawn together; in JSON as the page gets it. */
    @JsonFormat(shape = JsonFormat.Shape.OBJECT)
    public enum Chart {
        JOBS("Jobs by state", Unit.STATES),
        CPU("CPU, cores in use", Unit.CORES),
        RATES("Jobs a minute", Unit.MINUTE),
        HAND_OVER("From the start of a job to the batch system", Unit.LATENCY),
        REQUESTS("Time of requests", Unit.LATENCY),
        FAILED_REQUESTS("Failed requests a minute", Unit.MINUTE),
        WAITING("Commands that wait", Unit.COUNT),
        OLDEST("Age of the oldest that waits", Unit.TIME),
        WINDOW("Hand-over to the batch system", Unit.COUNT),
        MEMORY("Memory", Unit.BYTES),
        DESCRIPTORS("Open descriptors", Unit.COUNT),
        STARTS("Process starts a minute", Unit.MINUTE),
        DATABASE("Database a second", Unit.RATE);

        private final String title;
        private final Unit unit;

        Chart(String title, Unit unit) {
            this.title = title;
            this.unit = unit;
        }

        /** The name in the page, such as {@code failed-requests}. */
        @JsonProperty
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** What stands above it. */
        @JsonProperty
        public String title() {
            return title;
        }

        /** What its values are shown in. */
        @JsonProperty
        public Unit unit() {
            return unit;
        }

        /** Labels in their order, each with the names of the series that are added for it. */
        @JsonProperty
        public Map<String, List<String>> lines() {
            Map<String, List<String>> lines = new LinkedHashMap<>();
            for (Measure measure : Measure.values()) {
                if (measure.chart == this) {
                    lines.computeIfAbsent(measure.label, l -> new ArrayList<>()).add(measure.series());
                }
            }
            for (Latency latency : Latency.values()) {
                if (latency.chart() == this) {
                    lines.put("p50", List.of(latency.series() + "_p50"));
                    lines.put("p95", List.of(latency.series() + "_p95"));
                }
            }
            return lines;
        }
    }

    /** What values are shown in. Series of counts are rates per second, those of times are in seconds. */
    public enum Unit {
        /** Jobs, one area on the other, under Now; all else are lines, under Machine. */
        STATES,
        COUNT,
        CORES,
        /** A rate per minute. */
        MINUTE,
        /** A rate per second. */
        RATE,
        TIME,
        /** Time on a logarithmic axis. */
        LATENCY,
        BYTES
    }

    private final Kind kind;
    private final Chart chart;
    private final String label;
    private final String meter;

    Measure(Kind kind, Chart chart, String label) {
        this(kind, chart, label, null);
    }

    Measure(Kind kind, Chart chart, String label, String meter) {
        this.kind = kind;
        this.chart = chart;
        this.label = label;
        this.meter = meter;
    }

    /**
     * The meter of {@code /metrics} that it records, as {@code NAME} or {@code NAME TAG=VALUE}: the sum of those that are so. Null for
     * what is read otherwise.
     */
    public String meter() {
        return meter;
    }

    /** How its values are put together. */
    public Kind kind() {
        return kind;
    }

    /** Where it is drawn. */
    public Chart chart() {
        return chart;
    }

    /** The name of its series, in the database and for the page. */
    public String series() {
        return name().toLowerCase(Locale.ROOT);
    }
}
