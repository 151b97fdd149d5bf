package org.gelato.ce.perf.report;

import java.util.List;
import java.util.Map;

/** What others published or were measured to do, for the scenarios that have such figures. */
public final class Published {
    /** @param ours name of the count of our run; a latency's name with its percentile, such as {@code register/p50} */
    public record Row(String what, String ours, String theirs) {}

    private static final String ORIGINAL = "CREAM 1.16, measured: ";
    private static final String REPORT = "CREAM 2009, published: ";

    private static final Map<String, List<Row>> ROWS = Map.of(
            "ramp-up",
            List.of(
                    new Row(
                            "accepted jobs per second, 5 clients, kept TLS",
                            "accepted_per_second",
                            ORIGINAL + "108; " + REPORT + "1.5"),
                    new Row("register, median ms", "register/p50", ORIGINAL + "35"),
                    new Row("start, median ms", "start/p50", ORIGINAL + "7"),
                    new Row("CPU per job, JVM, ms", "life.cpu_ms_per_job.jvm", ORIGINAL + "9.8"),
                    new Row("CPU per job, helper, ms", "life.cpu_ms_per_job.helper", ORIGINAL + "7.0"),
                    new Row("CPU per job, database, ms", "life.cpu_ms_per_job.database", ORIGINAL + "12.8"),
                    new Row("SQL statements per job", "life.sql_per_job", ORIGINAL + "274.5"),
                    new Row("commits per job", "life.commits_per_job", ORIGINAL + "20.1"),
                    new Row(
                            "seconds until idle again",
                            "seconds_until_idle",
                            REPORT + "5000 jobs about 2 h with index, 9 h without"),
                    new Row("descriptors, peak", "ce_descriptors_peak", ORIGINAL + "235; " + REPORT + "over 8000"),
                    new Row("resident memory of the JVM, MiB", "ce_rss_mib_peak", ORIGINAL + "385")),
            "purge-all",
            List.of(
                    new Row(
                            "purged jobs per second",
                            "purged_per_second",
                            ORIGINAL + "118; " + REPORT + "70 000 in 2 h, 9.7"),
                    new Row("commits per job", "commits_per_job", ORIGINAL + "4"),
                    new Row("SQL statements per job", "sql_per_job", ORIGINAL + "60")),
            "restart",
            List.of(
                    new Row(
                            "start with nothing stored, s",
                            "start_seconds.nothing_stored",
                            ORIGINAL + "3.8 to the open port"),
                    new Row(
                            "start, 35 % stored, s",
                            "start_seconds.some_stored",
                            ORIGINAL + "6-19 with 70 000 stored, under load; " + REPORT + "over 5 min"),
                    new Row("start, all stored, s", "start_seconds.all_stored", "not measured")),
            "renew",
            List.of(
                    new Row(
                            "renewal of the proxy of N jobs, median ms",
                            "renewal, N jobs/p50",
                            ORIGINAL + "500-1600 for the call and 700-1900 after it, 1656 jobs"),
                    new Row(
                            "beside submissions, median ms",
                            "renewal, beside/p50",
                            REPORT + "CPU at 100 % for the time of the renewal")),
            "sustain",
            List.of(
                    new Row("jobs submitted", "jobs", REPORT + "52 685 in 4 days"),
                    new Row("jobs not done well", "jobs_not_done_ok", REPORT + "1"),
                    new Row("least jobs queued", "queued_least", REPORT + "above 5000"),
                    new Row("descriptors, peak", "ce_descriptors_peak", REPORT + "over 8000"),
                    new Row(
                            "jobStatus of 5 ids, median ms",
                            "status/p50",
                            ORIGINAL + "1.5 for one id with 7 000 stored, 6.8 with 68 000 under load")));

    private Published() {}

    /** Empty for scenarios without published results. */
    public static List<Row> of(String scenario) {
        return ROWS.getOrDefault(scenario, List.of());
    }
}
