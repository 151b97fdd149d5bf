package org.gelato.ce.it.monitoring;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.ws.dashboard.Situation;
import org.gelato.ce.ws.dashboard.Verdict;

/** What the page may have to show, as a CE would send it at one moment; the verdicts are the CE's own. */
enum Situations {
    ALL_WELL(412, 2, 10),
    SLURM_DOWN(412, 17, 33),
    DISK_FULL(398, 0, 6),
    CERTIFICATE_ENDS(412, 2, 10),
    MANY_JOBS(6200, 400, 3400),
    EMPTY(0, 0, 0),
    FAILED_JOB(411, 1, 9),
    RUNNING_JOB(412, 2, 10);

    static final Instant NOW = Instant.parse("2026-03-14T03:07:20Z");
    static final String JOB = "CREAM859534431";
    private static final String KILLED = "Slurm says: OUT_OF_MEMORY: the job took more than its 2 GiB";
    private static final int POINTS = 60;

    private final long running;
    private final long here;
    private final long batch;

    Situations(long running, long here, long batch) {
        this.running = running;
        this.here = here;
        this.batch = batch;
    }

    private boolean down() {
        return this == SLURM_DOWN;
    }

    private Instant certificate() {
        return NOW.plus(Duration.ofDays(this == CERTIFICATE_ENDS ? 5 : 212));
    }

    private List<Drain> drains() {
        return this == MANY_JOBS
                ? List.of(new Drain(
                        Drain.Part.VO,
                        "biomed",
                        "moves to the new storage until Monday",
                        "CN=Ada Admin,O=People,DC=example,DC=org",
                        NOW.minus(Duration.ofHours(9))))
                : List.of();
    }

    private List<Situation.Check> checks() {
        Instant since = NOW.minus(Duration.ofMinutes(3));
        Instant start = NOW.minus(Duration.ofDays(12));
        String admission = this == DISK_FULL
                ? "new jobs are refused: Threshold for Disk Usage(sandbox): 95 => Detected value for"
                        + " Disk Usage(sandbox): 98.20%"
                : drains().isEmpty()
                        ? "new jobs are accepted"
                        : "new jobs are refused: " + drains().get(0).text();
        boolean open = this != DISK_FULL && drains().isEmpty();
        boolean soon = this == CERTIFICATE_ENDS;
        return List.of(
                new Situation.Check("database", true, false, "reachable", null),
                new Situation.Check("helper", true, false, "reachable", start),
                new Situation.Check(
                        "slurm",
                        !down(),
                        false,
                        down()
                                ? "Slurmctld(primary) at ce01 is DOWN; RESTORE SLURMCTLD DAEMON TO SERVICE; hand-over pauses"
                                : "slurmctld responds",
                        down() ? since : start),
                new Situation.Check(
                        "host-certificate",
                        true,
                        soon,
                        soon
                                ? "the host certificate ends at " + certificate() + ", in less than 7 days"
                                : "ends at " + certificate(),
                        soon ? NOW.minus(Duration.ofDays(2)) : start),
                new Situation.Check("admission", true, !open, admission, open ? start : since),
                new Situation.Check("trust", true, false, "current", start),
                new Situation.Check("queues", true, false, "as configured", start),
                new Situation.Check("configuration-files", true, false, "in force", start));
    }

    private Situation situation() {
        return new Situation(
                NOW,
                "ce01.example.org",
                "slurm",
                new DiagnosticCommands(
                        "Slurm", List.of("systemctl status slurmctld", "scontrol ping"), List.of("sinfo"), List.of()),
                new Situation.Jobs(here, batch, running),
                checks(),
                this != DISK_FULL,
                down() ? "Slurmctld(primary) at ce01 is DOWN; RESTORE SLURMCTLD DAEMON TO SERVICE" : null,
                Duration.ofSeconds(down() ? 200 : 4),
                drains(),
                certificate(),
                Map.of("sandbox", Path.of("/var/lib/gelato-sandbox")));
    }

    Map<String, Object> data(String span) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time", NOW.toString());
        json.put("span", span);
        json.put("now", now());
        json.put("verdict", Verdict.of(situation()));
        json.put("checks", checks());
        json.put("charts", Measure.Chart.values());
        json.put("series", series(span));
        boolean empty = this == EMPTY;
        json.put("ended", empty ? 0 : 1208);
        json.put("endedMost", 2000);
        json.put("endedSince", null);
        json.put("failuresOf", empty ? 0 : this == MANY_JOBS ? 214 : 6);
        json.put("failuresSince", null);
        json.put("rowsMost", 20);
        json.put("vos", empty ? List.of() : List.of(share("atlas", "", 0.72), share("biomed", "", 0.28)));
        json.put(
                "owners",
                empty
                        ? List.of()
                        : List.of(
                                share("CN=Pilot of ATLAS,O=Robots,DC=example,DC=org", "/atlas/Role=pilot", 0.7),
                                share("CN=Bea Biologist,O=People,DC=example,DC=org", "/biomed", 0.28),
                                share("https://iam.example.org/,5f0c2b6e", "/atlas", 0.02)));
        json.put("queues", empty ? List.of() : List.of(share("slurm-long", "", 0.8), share("slurm-short", "", 0.2)));
        json.put("nodes", empty ? List.of() : List.of(share("wn041", "", 0.5), share("wn042", "", 0.5)));
        json.put("failures", empty ? List.of() : failures());
        json.put(
                "stages",
                empty ? Map.of("jobs", 0) : Map.of("jobs", 1000, "here", 0.12, "batch", 41.5, "running", 7830));
        json.put(
                "suspects",
                this == MANY_JOBS
                        ? List.of(Map.of("node", "wn042", "ended", 220, "bad", 198, "othersPercent", 1.3))
                        : List.of());
        json.put(
                "ces",
                List.of(Map.of(
                        "host",
                        "ce01.example.org",
                        "pid",
                        4711,
                        "started",
                        NOW.minus(Duration.ofDays(12)).toString(),
                        "heartbeat",
                        NOW.minusSeconds(2).toString())));
        return json;
    }

    private List<Map<String, Object>> failures() {
        int many = this == MANY_JOBS ? 200 : 5;
        return List.of(
                failure("DONE-FAILED", KILLED, many, 240, 3),
                failure("ABORTED", "the proxy has ended before the job began", many / 5, 1900, 0));
    }

    private static Map<String, Object> failure(String state, String reason, int jobs, int secondsAgo, int nodes) {
        return Map.of(
                "state",
                state,
                "reason",
                reason,
                "jobs",
                jobs,
                "latest",
                NOW.minusSeconds(secondsAgo).toString(),
                "nodes",
                nodes);
    }

    private Map<String, Object> share(String name, String detail, double part) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("detail", detail);
        json.put("registered", 0);
        json.put("waiting", Math.round((here + batch) * part));
        json.put("running", Math.round(running * part));
        json.put("held", 0);
        json.put("ended", Math.round(1208 * part));
        json.put("failed", Math.round(6 * part));
        json.put("nonZero", Math.round(31 * part));
        json.put("cpuSeconds", 8.1e6 * part);
        json.put("meanRunSeconds", 7830);
        return json;
    }

    private Map<String, Object> now() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("host", "ce01.example.org");
        json.put("version", "0.11.0");
        json.put("started", NOW.minus(Duration.ofDays(12)).toString());
        Map<String, Long> jobs = new LinkedHashMap<>();
        jobs.put("REGISTERED", 0L);
        jobs.put("PENDING", here);
        jobs.put("IDLE", batch);
        jobs.put("RUNNING", running / 50);
        jobs.put("REALLY-RUNNING", running - running / 50);
        jobs.put("HELD", 0L);
        json.put("jobs", jobs);
        json.put("lanes", List.of(Map.of("lane", "slurm", "waiting", here, "oldestSeconds", 3)));
        json.put("inFlight", 1);
        Map<String, Object> oldest = new LinkedHashMap<>();
        oldest.put("id", JOB);
        oldest.put("state", down() ? "PENDING" : "IDLE");
        oldest.put(
                "since",
                NOW.minusSeconds(this == MANY_JOBS ? 5400 : down() ? 196 : 54).toString());
        oldest.put("description", down() ? "the hand-over pauses" : "Priority: others are before it");
        json.put("oldest", here + batch == 0 ? null : oldest);
        Map<String, Object> lrms = new LinkedHashMap<>();
        lrms.put("name", "slurm");
        lrms.put("window", 30);
        lrms.put("paused", down() ? "Slurmctld(primary) at ce01 is DOWN; RESTORE SLURMCTLD DAEMON TO SERVICE" : null);
        lrms.put("pauses", List.of());
        lrms.put("pollAgeSeconds", down() ? 200 : 4);
        lrms.put("asOf", down() ? NOW.minusSeconds(200).toString() : null);
        lrms.put("slotsAsOf", down() ? NOW.minusSeconds(230).toString() : null);
        lrms.put("trouble", down() ? "the last 18 polls failed" : null);
        lrms.put("version", "24.11.5");
        lrms.put("api", "REST");
        lrms.put("slots", this == MANY_JOBS ? 6400 : 480);
        lrms.put("freeSlots", (this == MANY_JOBS ? 6400 : 480) - running);
        json.put("batch", lrms);
        json.put(
                "admission",
                Map.of(
                        "open",
                        this != DISK_FULL,
                        "drained",
                        List.of(),
                        "values",
                        List.of(
                                Map.of(
                                        "what",
                                        "Disk Usage(sandbox)",
                                        "value",
                                        this == DISK_FULL ? 98.2 : 41.7,
                                        "limit",
                                        95),
                                Map.of("what", "Memory Usage", "value", 38.5, "limit", 95))));
        json.put(
                "drains",
                drains().stream()
                        .map(d -> closed("vo", d.name(), d.reason(), d.by(), d.since()))
                        .toList());
        json.put(
                "bans",
                this == MANY_JOBS
                        ? List.of(closed(
                                "dn",
                                "CN=Mallory,O=People,DC=example,DC=org",
                                "stolen key",
                                "CN=Ada Admin,O=People,DC=example,DC=org",
                                NOW.minus(Duration.ofDays(3))))
                        : List.of());
        json.put("bansMost", 50);
        json.put(
                "certificates",
                List.of(Map.of(
                        "what",
                        "host certificate",
                        "end",
                        certificate().toString(),
                        "seconds",
                        Duration.between(NOW, certificate()).toSeconds())));
        json.put("proxiesSoon", 0);
        json.put("process", Map.of("descriptors", 240, "descriptorsMost", 65536, "threads", 61, "commandStarts", 1204));
        return json;
    }

    private static Map<String, Object> closed(String kind, String name, String reason, String by, Instant since) {
        return Map.of("kind", kind, "name", name, "reason", reason, "by", by, "since", since.toString());
    }

    private Map<String, Object> series(String span) {
        long step = span.equals("hour") ? 60 : 3600;
        Map<String, Object> json = new LinkedHashMap<>();
        long last = NOW.getEpochSecond() - NOW.getEpochSecond() % step;
        json.put(
                "time",
                IntStream.range(0, POINTS)
                        .mapToLong(i -> last - (POINTS - 1 - i) * step)
                        .toArray());
        for (Measure measure : Measure.values()) {
            json.put(measure.series(), column(i -> 0));
        }
        for (String latency : List.of("request_p50", "request_p95", "hand_over_p50", "hand_over_p95")) {
            json.put(latency, column(i -> latency.endsWith("50") ? 0.12 : 0.9));
        }
        if (this != EMPTY) {
            double scale = running / 412.0;
            json.put("jobs_running", column(i -> 8 * scale));
            json.put(
                    "jobs_really_running",
                    column(i ->
                            i == POINTS - 1 ? running - 8 * scale : scale * (380 + 0.4 * i + 10 * Math.sin(i / 6.0))));
            json.put(
                    "jobs_idle",
                    column(i -> i >= POINTS - (down() ? 4 : 1) ? batch : batch * (1.3 + Math.cos(i / 5.0)) / 2));
            json.put("jobs_pending", column(i -> down() ? Math.max(0, i - POINTS + 5) * here / 4.0 : here));
            json.put("jobs_registered", column(i -> i % 9 == 0 ? 4 * scale : 0));
            json.put("jobs_held", column(i -> 2 * scale));
            json.put(
                    "handed_over", column(i -> down() && i > POINTS - 5 ? 0 : scale * (0.5 + 0.2 * Math.sin(i / 4.0))));
            json.put("done_failed", column(i -> i == 22 || i == 41 || i == 55 ? 2 / 60.0 : 0));
            json.put(
                    "oldest_job",
                    column(i -> down() && i > POINTS - 5 ? (i - POINTS + 5) * 49 : 20 + 15 * Math.sin(i / 3.0)));
            json.put("done_ok", column(i -> scale * (0.5 + 0.1 * Math.cos(i / 4.0))));
            json.put("registered", column(i -> scale * 0.5));
            json.put("cpu_jvm", column(i -> 0.2 + 0.1 * Math.sin(i)));
            json.put("memory_jvm", column(i -> 5.1e8));
        }
        return json;
    }

    /** The first point of a CE that was just started is unknown. */
    private List<Double> column(IntToDoubleFunction value) {
        List<Double> column = new ArrayList<>();
        for (int i = 0; i < POINTS; i++) {
            column.add(
                    this == EMPTY && i < POINTS - 3 ? null : (Double) Math.rint(value.applyAsDouble(i) * 1000) / 1000);
        }
        return column;
    }

    /** What is in a list beside the job: the end of its id, state, reason, exit code, batch id, node, VO, name of the owner. */
    private static final Object[][] OTHERS = {
        {"547", "REGISTERED", null, null, null, null, "atlas", "Pilot of ATLAS"},
        {"546", "PENDING", null, null, null, null, "atlas", "Pilot of ATLAS"},
        {"540", "IDLE", null, null, "8840", null, "biomed", "Bea Biologist"},
        {"533", "REALLY-RUNNING", null, null, "8833", "wn041", "atlas", "Pilot of ATLAS"},
        {"519", "HELD", "held by its user", null, "8821", null, "atlas", "Nora Physicist"},
        {"518", "DONE-OK", null, 0, "8820", "wn041", "atlas", "Pilot of ATLAS"},
        {"506", "DONE-OK", null, 3, "8809", "wn042", "biomed", "Bea Biologist"},
        {"498", "CANCELLED", "Cancelled by user", null, "8801", "wn017", "atlas", "Nora Physicist"},
        {"474", "ABORTED", "the proxy has ended before the job began", null, null, null, "atlas", "Nora Physicist"},
        {
            "466",
            "DONE-FAILED",
            "an input file cannot be fetched: https://se.example.org/biomed/brain-0466.nii: 404",
            null,
            "8774",
            "wn042",
            "biomed",
            "Bea Biologist"
        },
    };

    /**
     * What a search finds, latest first.
     *
     * @param query of the request, decoded
     */
    Map<String, Object> jobs(String query) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object[] other : OTHERS) {
            all.add(listed(other));
        }
        all.add(job());
        if (query.equals("latest=failed")) {
            // By their ends.
            Collections.reverse(all);
            all.removeIf(job -> !List.of("DONE-FAILED", "ABORTED").contains(job.get("state")));
        } else if (query.contains("reason=")) {
            all.removeIf(job -> !query.endsWith("reason=" + job.get("reason")));
        } else if (query.startsWith("text=")) {
            all.removeIf(job -> job.values().stream()
                    .noneMatch(value -> String.valueOf(value).contains(query.substring("text=".length()))));
        }
        return Map.of("most", 100, "jobs", all);
    }

    private Map<String, Object> listed(Object... other) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("id", JOB.substring(0, JOB.length() - 3) + other[0]);
        job.put("dn", "CN=" + other[7] + ",O=People,DC=example,DC=org");
        job.put("fqan", "/" + other[6]);
        job.put("vo", other[6]);
        job.put("state", other[1]);
        int age = 40 * (550 - Integer.parseInt((String) other[0]));
        job.put("registered", NOW.minusSeconds(age).toString());
        job.put("queue", "slurm-long");
        job.put("batchId", other[4]);
        job.put("node", other[5]);
        job.put("exitCode", other[3]);
        job.put("reason", other[2]);
        return job;
    }

    private Map<String, Object> job() {
        boolean failed = this == FAILED_JOB;
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("id", JOB);
        job.put("dn", "CN=Bea Biologist,O=People,DC=example,DC=org");
        job.put("fqan", "/biomed");
        job.put("vo", "biomed");
        job.put("account", "biomed014");
        job.put("state", failed ? "DONE-FAILED" : "REALLY-RUNNING");
        job.put("since", NOW.minusSeconds(failed ? 240 : 900).toString());
        job.put("registered", NOW.minusSeconds(4000).toString());
        job.put("ended", failed ? NOW.minusSeconds(240).toString() : null);
        job.put("queue", "slurm-long");
        job.put("batchId", "8812");
        job.put("node", "wn042");
        job.put("exitCode", null);
        job.put("reason", failed ? KILLED : null);
        job.put("description", null);
        return job;
    }

    /** A job with its course; each id has the same. */
    Map<String, Object> job(String id) {
        boolean failed = this == FAILED_JOB;
        Map<String, Object> job = job();
        job.put("id", id);
        List<Object> stages = new ArrayList<>();
        stages.add(stage("REGISTERED", "waits for its start", 4000, 12.0));
        stages.add(stage("PENDING", "hand-over to the batch system", 3988, 0.4));
        stages.add(stage("IDLE", "in the batch system's queue", 3987, 1380.0));
        stages.add(stage("RUNNING", "wrapper, before the payload", 2607, 22.0));
        stages.add(stage("REALLY-RUNNING", "payload and output", 2585, failed ? 2345.0 : 2585.0));
        if (failed) {
            stages.add(stage("DONE-FAILED", "ended", 240, null));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("job", job);
        json.put("stages", stages);
        json.put("commands", List.of());
        json.put(
                "support",
                List.of(
                        "ce server whois " + JOB,
                        "ce audit --job " + JOB,
                        "scontrol show job 8812",
                        "sacct -j 8812 --format=JobID,State,ExitCode,NodeList,MaxRSS,Elapsed,Reason"));
        return json;
    }

    private static Map<String, Object> stage(String state, String what, int ago, Double seconds) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("state", state);
        json.put("what", what);
        json.put("begin", NOW.minusSeconds(ago).toString());
        json.put("seconds", seconds);
        json.put("reason", seconds == null ? KILLED : null);
        return json;
    }

    /** What the job writes: at first, and later. */
    Map<String, Object> messages(boolean first) {
        boolean ended = this == FAILED_JOB;
        List<String> lines = first
                ? List.of("event 1000 of 50000\n", "event 2000 of 50000\n")
                : ended ? List.of() : List.of("<b>event</b> 3000 of 50000\n");
        return Map.of(
                "messages",
                lines.stream()
                        .map(line -> Map.of("kind", "stdout", "sent", NOW.toString(), "text", line))
                        .toList(),
                "next",
                "1",
                "more",
                false,
                "complete",
                ended || !first);
    }

    /** As the pictures are named. */
    static List<String> names() {
        return Arrays.stream(values())
                .map(s -> s.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }
}
