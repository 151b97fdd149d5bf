package org.gelato.ce.perf.measure;

import java.util.Map;
import java.util.TreeMap;
import org.gelato.ce.perf.site.PerfSite;

/**
 * What is counted exactly, at one moment or between two.
 *
 * @param nanos of {@link System#nanoTime}
 * @param sql statements as the CE counts them
 * @param commits commits as the CE counts them
 * @param databaseQuestions statements the server was sent, COMMIT and the like with them
 * @param databaseCommits COMMIT statements the server was sent
 * @param processStarts as the CE counts them; null when it does not
 * @param stubCpuMillis of the simulated batch system; 0 without one
 * @param programs starts of the batch system's programs; empty without any
 */
public record Counters(
        long nanos,
        long sql,
        long commits,
        long databaseQuestions,
        long databaseCommits,
        Long processStarts,
        double stubCpuMillis,
        Map<String, Long> programs) {
    private static final String SQL = "ce_sql_statements_total";
    private static final String COMMITS = "ce_commits_total";
    private static final String PROCESS_STARTS = "ce_process_starts_total";
    private static final String STUB_CPU = "perf_stub_cpu_seconds_total";

    public static Counters of(PerfSite site) {
        Metrics metrics = new Metrics(site.page("/metrics"));
        return new Counters(
                System.nanoTime(),
                Math.round(metrics.of(SQL)),
                Math.round(metrics.of(COMMITS)),
                site.store().questions(),
                site.store().commits(),
                metrics.has(PROCESS_STARTS) ? Math.round(metrics.of(PROCESS_STARTS)) : null,
                metrics.has(STUB_CPU) ? metrics.of(STUB_CPU) * 1000 : 0,
                site.programs() == null ? Map.of() : site.programs().counts());
    }

    /** What was counted between an earlier reading and this one. */
    public Counters since(Counters earlier) {
        Map<String, Long> started = new TreeMap<>();
        programs.forEach((name, count) -> started.put(name, count - earlier.programs.getOrDefault(name, 0L)));
        return new Counters(
                nanos - earlier.nanos,
                sql - earlier.sql,
                commits - earlier.commits,
                databaseQuestions - earlier.databaseQuestions,
                databaseCommits - earlier.databaseCommits,
                processStarts == null || earlier.processStarts == null ? null : processStarts - earlier.processStarts,
                stubCpuMillis - earlier.stubCpuMillis,
                started);
    }

    public double seconds() {
        return nanos / 1e9;
    }
}
