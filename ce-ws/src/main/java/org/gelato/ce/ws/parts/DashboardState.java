package org.gelato.ce.ws.parts;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.ScopedPauses;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.ws.dashboard.LiveState;
import org.gelato.ce.ws.dashboard.Situation;
import org.gelato.ce.ws.parts.monitoring.StoredMeters;

/** What the dashboard shows of this moment, from the parts of this CE. For any thread. */
final class DashboardState implements LiveState {
    private static final int MAX_CERTIFICATES = 6;
    private static final int MAX_PAUSES = 20;
    private static final int MAX_BANS = 50;

    private final DashboardParts.Sources sources;
    private final DashboardParts.Node node;
    private final Clock clock;

    DashboardState(DashboardParts.Sources sources, DashboardParts.Node node, Clock clock) {
        this.sources = sources;
        this.node = node;
        this.clock = clock;
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
        json.put("bansMost", MAX_BANS);
        json.put("certificates", certificates(stored, now));
        json.put("proxiesSoon", stored == null ? null : stored.ends().soon());
        json.put("process", process());
        return json;
    }

    @Override
    public Situation situation() {
        return new DashboardSituation(sources, node, clock).read();
    }

    @Override
    public List<JobStore.Present> present() {
        StoredMeters.Stored stored = sources.monitoring().stored().latest();
        return stored == null ? null : stored.jobs();
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
                .limit(MAX_BANS)
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
                        lane.lane(),
                        lane.commands(),
                        lane.oldest() == null ? null : DashboardReadings.seconds(lane.oldest(), now)))
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
                        .limit(MAX_PAUSES)
                        .map(ScopedPauses.Paused::text)
                        .toList());
        json.put("pollAgeSeconds", polls.age().toMillis() / 1000);
        json.put("pollsFailed", polls.failures());
        json.put("trouble", polls.trouble());
        json.put("asOf", polls.outdatedSince());
        json.put("notPolledSince", polls.notPolledSince());
        var cluster = sources.follow().cluster();
        ClusterStatus status = cluster.status().orElse(ClusterStatus.UNKNOWN);
        json.put("version", status.version());
        json.put("api", status.api());
        json.put("slots", number(status.slots()));
        json.put("freeSlots", number(status.freeSlots()));
        boolean outdated = polls.trouble() != null || cluster.trouble() != null;
        json.put("slotsAsOf", outdated ? cluster.readAt() : null);
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
                .limit(MAX_CERTIFICATES)
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
        json.put("descriptors", whole(sources.meter("process.files.open")));
        json.put("descriptorsMost", whole(sources.meter("process.files.max")));
        json.put("threads", whole(sources.meter("jvm.threads.live")));
        json.put("commandStarts", whole(sources.starts("command")));
        json.put("workerStarts", whole(sources.starts("worker")));
        json.put("helperStarts", whole(sources.starts("helper")));
        json.put("databaseStarts", whole(sources.starts("database")));
        return json;
    }

    private static Long whole(double value) {
        return Double.isFinite(value) ? (Long) Math.round(value) : null;
    }
}
