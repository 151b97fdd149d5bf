package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.ScopedPauses;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.LookCommands;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.core.monitoring.Latency;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.core.monitoring.RecentJobs;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.gelato.ce.ws.dashboard.DashboardData;
import org.gelato.ce.ws.dashboard.DashboardEndpoints;
import org.gelato.ce.ws.dashboard.LiveState;
import org.gelato.ce.ws.dashboard.NodeReadings;
import org.gelato.ce.ws.dashboard.Processes;
import org.gelato.ce.ws.dashboard.SeriesRecorder;
import org.gelato.ce.ws.dashboard.Situation;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.parts.monitoring.StoredMeters;

/** Gathers what the dashboard shows from the parts of this CE. Read by any thread; written by the recorder's alone. */
final class DashboardParts implements NodeReadings, LiveState {
    private static final int CERTIFICATES = 6;
    private static final int MOST_PAUSES = 20;
    private static final int MOST_BANS = 50;

    /** Who reads the page waits so long for a round of checks; then it gets the one before. */
    private static final long PATIENCE_MILLIS = 1000;

    private final Sources sources;
    private final Node node;
    private final Clock clock;
    private final Processes processes;
    private volatile Processes.Reading process;

    /** Where the values come from. */
    record Sources(
            MeterRegistry meters,
            StoreParts stores,
            AdmissionParts admission,
            FollowParts follow,
            HandOverParts handOver,
            MonitoringParts monitoring,
            Readiness readiness,
            Certificates certificates) {}

    /**
     * When certificates end.
     *
     * @param host when the host certificate ends
     * @param revocationLists when the CRL of each CA ends
     */
    record Certificates(Supplier<Instant> host, Supplier<Map<String, Instant>> revocationLists) {}

    /**
     * This node.
     *
     * @param lrms the batch system's name
     * @param look how an administrator looks at it
     */
    record Node(String lrms, LookCommands look, String host, String version, Instant started) {}

    /** @param processes whose memory and time are shown */
    static DashboardParts open(Opening o, Sources sources, Node node, Processes processes) {
        DashboardParts dashboard = new DashboardParts(sources, node, processes, o.clock());
        SeriesRecorder recorder = new SeriesRecorder(
                new SeriesStore(sources.stores().database()), node.host(), dashboard, o.clock(), System::nanoTime);
        o.work(() -> recorder.start(o.scheduler()));
        return dashboard;
    }

    private DashboardParts(Sources sources, Node node, Processes processes, Clock clock) {
        this.sources = sources;
        this.node = node;
        this.processes = processes;
        this.clock = clock;
    }

    /** The page and its data. */
    DashboardEndpoints endpoints(MonitoringAccess access, JobSearch search) {
        Database database = sources.stores().database();
        return new DashboardEndpoints(
                access,
                new DashboardData(this, new SeriesStore(database), new RecentJobs(database), clock, System::nanoTime),
                search,
                node.look(),
                clock);
    }

    @Override
    public Map<Measure, Double> values() {
        Map<Measure, Double> values = new EnumMap<>(Measure.class);
        StoredMeters.Stored stored = sources.monitoring().stored().latest();
        if (stored != null) {
            levels(values, stored, clock.instant());
        }
        Processes.Reading reading = processes.read();
        process = reading;
        for (Measure measure : Measure.values()) {
            if (measure.meter() != null) {
                values.put(measure, meter(measure.meter()));
            }
        }
        values.put(Measure.MEMORY_JVM, reading.jvm().residentBytes());
        values.put(Measure.MEMORY_DATABASE, reading.database().residentBytes());
        values.put(Measure.MEMORY_HELPER, reading.helper().residentBytes());
        values.put(Measure.CPU_JVM, reading.jvm().cpuSeconds());
        values.put(Measure.CPU_DATABASE, reading.database().cpuSeconds());
        values.put(Measure.CPU_HELPER, reading.helper().cpuSeconds());
        values.put(Measure.REQUESTS_FAILED, (double)
                sources.monitoring().requests().failed());
        values.put(Measure.STARTS_SERVERS, starts("helper") + starts("database"));
        return values;
    }

    private static void levels(Map<Measure, Double> values, StoredMeters.Stored stored, Instant now) {
        for (JobState state : JobState.values()) {
            if (!state.isFinal()) {
                values.put(Measure.valueOf("JOBS_" + state.name()), 0.0);
            }
        }
        stored.jobs()
                .forEach(
                        p -> values.merge(Measure.valueOf("JOBS_" + p.state().name()), (double) p.jobs(), Double::sum));
        for (Measure lane : List.of(
                Measure.WAITING_CONTROL, Measure.WAITING_HAND_OVER, Measure.WAITING_PURGE, Measure.WAITING_OTHER)) {
            values.put(lane, 0.0);
        }
        values.put(
                Measure.OLDEST_JOB,
                stored.oldest() == null ? 0.0 : seconds(stored.oldest().since(), now));
        values.put(Measure.OLDEST_WAITING, 0.0);
        for (CommandStore.LaneSize lane : stored.lanes()) {
            values.merge(measure(lane.lane()), (double) lane.commands(), Double::sum);
            if (lane.oldest() != null) {
                values.merge(Measure.OLDEST_WAITING, seconds(lane.oldest(), now), Double::max);
            }
        }
    }

    private static Measure measure(String lane) {
        return switch (lane) {
            case "control" -> Measure.WAITING_CONTROL;
            case "purge" -> Measure.WAITING_PURGE;
            case "other" -> Measure.WAITING_OTHER;
            default -> Measure.WAITING_HAND_OVER;
        };
    }

    private static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis() / 1e3);
    }

    /** @param name as {@link Measure#meter} has it */
    private double meter(String name) {
        String[] words = name.split("[ =]");
        return sources.meters().find(words[0]).tags(Arrays.copyOfRange(words, 1, words.length)).meters().stream()
                .mapToDouble(meter -> meter.measure().iterator().next().getValue())
                .sum();
    }

    private double starts(String kind) {
        return meter("ce.process.starts kind=" + kind);
    }

    @Override
    public Map<Latency, double[]> latencies() {
        Map<Latency, double[]> latencies = new EnumMap<>(Latency.class);
        latencies.put(Latency.REQUEST, sources.monitoring().requests().times().counts());
        latencies.put(
                Latency.HAND_OVER,
                sources.stores().jobs().counts().handOverTimes().counts());
        return latencies;
    }

    @Override
    public List<JobStore.Present> present() {
        StoredMeters.Stored stored = sources.monitoring().stored().latest();
        return stored == null ? null : stored.jobs();
    }

    @Override
    public Map<String, Object> now() {
        Instant now = clock.instant();
        StoredMeters.Stored stored = sources.monitoring().stored().latest();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("host", node.host());
        json.put("version", node.version());
        json.put("started", node.started());
        json.put("jobs", stored == null ? null : byState(stored.jobs()));
        json.put("lanes", stored == null ? null : lanes(stored.lanes(), now));
        json.put("oldest", stored == null ? null : stored.oldest());
        json.put("inFlight", sources.handOver().dispatcher().inFlight());
        json.put("batch", batch());
        json.put("admission", admission());
        json.put("drains", drains());
        json.put("bans", bans());
        json.put("bansMost", MOST_BANS);
        json.put("certificates", certificates(stored, now));
        json.put("proxiesSoon", stored == null ? null : stored.ends().soon());
        json.put("process", process());
        return json;
    }

    @Override
    public Situation situation() {
        Instant now = clock.instant();
        StoredMeters.Stored stored = sources.monitoring().stored().latest();
        var admission = sources.admission().controller();
        return new Situation(
                now,
                node.host(),
                node.lrms(),
                node.look(),
                stored == null ? null : jobs(stored.jobs()),
                checks(stored != null),
                admission.state().accepting(),
                sources.handOver().throttle().pausedBy(),
                sources.follow().polls().age(),
                admission.drains(),
                sources.certificates().host().get(),
                sources.admission().disks());
    }

    private static Situation.Jobs jobs(List<JobStore.Present> present) {
        Map<JobState, Long> jobs = new EnumMap<>(JobState.class);
        present.forEach(p -> jobs.merge(p.state(), p.jobs(), Long::sum));
        return new Situation.Jobs(
                jobs.getOrDefault(JobState.PENDING, 0L),
                jobs.getOrDefault(JobState.IDLE, 0L),
                jobs.getOrDefault(JobState.RUNNING, 0L) + jobs.getOrDefault(JobState.REALLY_RUNNING, 0L));
    }

    /** Those of the last round, which was made now if it ends soon: a check may cost a process, and this waits for none. */
    private List<Situation.Check> checks(boolean database) {
        Readiness.Report report;
        try {
            report = sources.readiness().report().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            report = sources.readiness().last();
        } catch (ExecutionException | TimeoutException e) {
            report = sources.readiness().last();
        }
        List<Situation.Check> checks = new ArrayList<>();
        checks.add(new Situation.Check(
                "database",
                database,
                false,
                database ? "reachable" : "its last read failed, or has not ended yet",
                null));
        if (report != null) {
            report.checks()
                    .forEach(c -> checks.add(new Situation.Check(
                            c.name(),
                            c.ok(),
                            c.degraded(),
                            c.detail(),
                            sources.readiness().since(c.name()))));
        }
        return checks;
    }

    /** What is drained, as bans are shown. */
    private record Closed(Drain.Part kind, String name, String reason, String by, Instant since) {}

    private List<Closed> drains() {
        return sources.admission().controller().drains().stream()
                .map(d -> new Closed(d.part(), d.name(), d.reason(), d.by(), d.since()))
                .toList();
    }

    /** The latest ones. */
    private List<Ban> bans() {
        return sources.admission().controller().restrictions().bans().all().stream()
                .sorted(Comparator.comparing(Ban::since).reversed())
                .limit(MOST_BANS)
                .toList();
    }

    private static Map<String, Long> byState(List<JobStore.Present> present) {
        Map<String, Long> jobs = new LinkedHashMap<>();
        for (JobState state : JobState.values()) {
            if (!state.isFinal()) {
                jobs.put(state.wireName(), 0L);
            }
        }
        present.forEach(p -> jobs.merge(p.state().wireName(), p.jobs(), Long::sum));
        return jobs;
    }

    private record Lane(String lane, long waiting, Double oldestSeconds) {}

    private static List<Lane> lanes(List<CommandStore.LaneSize> lanes, Instant now) {
        return lanes.stream()
                .map(lane -> new Lane(
                        lane.lane(), lane.commands(), lane.oldest() == null ? null : seconds(lane.oldest(), now)))
                .toList();
    }

    private Map<String, Object> batch() {
        Map<String, Object> json = new LinkedHashMap<>();
        var throttle = sources.handOver().throttle();
        var polls = sources.follow().polls();
        json.put("name", node.lrms());
        json.put("window", throttle.window());
        json.put("paused", throttle.pausedBy());
        json.put("cause", throttle.pauseCause());
        json.put(
                "pauses",
                sources.handOver().dispatcher().pauses().paused().stream()
                        .limit(MOST_PAUSES)
                        .map(ScopedPauses.Paused::text)
                        .toList());
        json.put("pollAgeSeconds", polls.age().toMillis() / 1000);
        json.put("pollsFailed", polls.failures());
        json.put("trouble", polls.trouble());
        ClusterStatus status = sources.follow().cluster().status().orElse(ClusterStatus.UNKNOWN);
        json.put("version", status.version());
        json.put("api", status.api());
        json.put("slots", number(status.slots()));
        json.put("freeSlots", number(status.freeSlots()));
        return json;
    }

    private static Integer number(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    private Map<String, Object> admission() {
        Map<String, Object> json = new LinkedHashMap<>();
        var admission = sources.admission().controller();
        json.put("open", admission.state().accepting());
        json.put("message", admission.state().message());
        json.put("drained", admission.drained());
        json.put(
                "values",
                admission.readings().stream()
                        .map(r -> {
                            Map<String, Object> value = new HashMap<>();
                            value.put("what", r.what());
                            value.put("value", r.value());
                            value.put("limit", r.limit() < 0 ? null : r.limit());
                            return value;
                        })
                        .toList());
        return json;
    }

    /** Those that end first. */
    private List<Map<String, Object>> certificates(StoredMeters.Stored stored, Instant now) {
        List<Map.Entry<String, Instant>> ends = new ArrayList<>();
        ends.add(Map.entry("host certificate", sources.certificates().host().get()));
        if (stored != null && stored.ends().nearest() != null) {
            ends.add(Map.entry("first delegated proxy", stored.ends().nearest()));
        }
        sources.certificates().revocationLists().get().entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .limit(CERTIFICATES)
                .forEach(e -> ends.add(Map.entry("CRL of " + e.getKey(), e.getValue())));
        return ends.stream()
                .sorted(Comparator.comparing(Map.Entry::getValue))
                .map(e -> Map.<String, Object>of(
                        "what",
                        e.getKey(),
                        "end",
                        e.getValue(),
                        "seconds",
                        Duration.between(now, e.getValue()).toSeconds()))
                .toList();
    }

    private Map<String, Object> process() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("descriptors", whole(meter("process.files.open")));
        json.put("descriptorsMost", whole(meter("process.files.max")));
        json.put("heap", whole(meter("jvm.memory.used area=heap")));
        json.put("threads", whole(meter("jvm.threads.live")));
        json.put("commandStarts", whole(starts("command")));
        json.put("workerStarts", whole(starts("worker")));
        json.put("helperStarts", whole(starts("helper")));
        json.put("databaseStarts", whole(starts("database")));
        Processes.Reading reading = process;
        json.put("jvmBytes", reading == null ? null : whole(reading.jvm().residentBytes()));
        json.put(
                "databaseBytes",
                reading == null ? null : whole(reading.database().residentBytes()));
        json.put("helperBytes", reading == null ? null : whole(reading.helper().residentBytes()));
        return json;
    }

    private static Long whole(double value) {
        return Double.isFinite(value) ? (Long) Math.round(value) : null;
    }
}
