package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.delegation.DelegationEnds;
import org.gelato.ce.core.job.JobCounts;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.monitoring.OldestJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of what is stored: jobs, commands and delegations, of all nodes that share the database. The database is read in the
 * background, never for the page of metrics; while it does not respond the values are NaN. Read by one thread at a time.
 */
public final class StoredMeters {
    /** The time between two reads of the database. */
    public static final Duration INTERVAL = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(StoredMeters.class);
    private static final int MAX_VOS = 50;
    private static final String OTHERS = "others";
    private static final Duration SOON = Duration.ofHours(1);

    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final JobNumbers numbers;
    private final AdmissionController admission;
    private final Clock clock;
    private final GaugePerTag present;
    private final GaugePerTag waiting;
    private final GaugePerTag oldest;
    private final GaugePerTag values;
    private final GaugePerTag limits;
    private final Set<String> vos = new HashSet<>();
    private volatile Stored latest;
    private volatile double nearestEnd = Double.NaN;
    private volatile double endSoon = Double.NaN;

    /**
     * What one read returned.
     *
     * @param oldest the job that has waited longest; null for none
     */
    public record Stored(
            List<JobStore.Present> jobs,
            List<CommandStore.LaneSize> lanes,
            DelegationEnds.Ends ends,
            OldestJob oldest) {}

    /** Registers what is there from the beginning; gauges of queues, lanes and limits come with the first values. */
    public StoredMeters(
            MeterRegistry meters,
            Database database,
            JobStore jobs,
            CommandStore commands,
            JobNumbers numbers,
            AdmissionController admission,
            Clock clock) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.numbers = numbers;
        this.admission = admission;
        this.clock = clock;
        present = perTag(meters, "ce.jobs", "Jobs that have not ended", null, 0);
        waiting = perTag(meters, "ce.commands.waiting", "Commands that wait in a lane", null, 0);
        oldest = perTag(meters, "ce.commands.oldest.age", "Age of the oldest command of a lane", "seconds", 0);
        values = perTag(meters, "ce.admission.value", "Measured value of a limit of admission", null, Double.NaN);
        limits = perTag(meters, "ce.admission.limit", "Limit of admission; -1 for none", null, Double.NaN);
        Gauge.builder(
                        "ce.admission.drained",
                        admission,
                        a -> a.restrictions().drains().size())
                .description("Queues and VOs that are drained")
                .register(meters);
        Gauge.builder("ce.bans", admission, a -> a.restrictions().bans().all().size())
                .description("Bans that administrators made")
                .register(meters);
        Gauge.builder("ce.admission.open", admission, a -> a.state().accepting() ? 1 : 0)
                .description("Whether new jobs are accepted")
                .register(meters);
        Gauge.builder("ce.delegations.nearest.end", this, self -> self.nearestEnd)
                .description("Time until the first delegated proxy ends")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("ce.delegations.ending", this, self -> self.endSoon)
                .description("Delegated proxies that end within an hour, up to 10 000")
                .register(meters);
        JobCounts counts = jobs.counts();
        FunctionCounter.builder("ce.jobs.registered", counts, JobCounts::registered)
                .description("Jobs that were registered, by this node")
                .register(meters);
        FunctionCounter.builder("ce.jobs.handed.over", counts, JobCounts::handedOver)
                .description("Jobs that reached the batch system, by this node")
                .register(meters);
        for (JobState state : JobState.FINAL) {
            FunctionCounter.builder("ce.jobs.ended", counts, c -> c.ended(state))
                    .description("Jobs that ended, by this node")
                    .tag("state", state.wireName())
                    .register(meters);
        }
    }

    private static GaugePerTag perTag(
            MeterRegistry meters, String name, String description, String unit, double absent) {
        return new GaugePerTag(meters, name, description, unit, null, Tags.empty(), absent);
    }

    /** Reads the database once. */
    public void read() {
        limits();
        Instant now = clock.instant();
        try {
            Stored stored = database.read(h -> new Stored(
                    jobs.countPresent(h),
                    commands.laneSizes(h),
                    DelegationEnds.read(h, now, SOON),
                    OldestJob.read(h, numbers).orElse(null)));
            jobs(stored.jobs());
            lanes(stored.lanes(), now);
            nearestEnd = stored.ends().nearest() == null
                    ? Double.NaN
                    : Duration.between(now, stored.ends().nearest()).toSeconds();
            endSoon = stored.ends().soon();
            latest = stored; // with meters that have its numbers
        } catch (RuntimeException e) {
            log.debug("no values for metrics: {}", e.toString());
            latest = null;
            present.unknown();
            waiting.unknown();
            oldest.unknown();
            nearestEnd = Double.NaN;
            endSoon = Double.NaN;
        }
    }

    /** The jobs that have not ended, as read last; empty before the first read and while the database does not respond. */
    public Optional<List<JobStore.Present>> jobsPresent() {
        return Optional.ofNullable(latest).map(Stored::jobs);
    }

    /** What was read last; null before the first read, and while the database does not respond. */
    public Stored latest() {
        return latest;
    }

    private void limits() {
        Map<Tags, Double> measured = new HashMap<>();
        Map<Tags, Double> bounds = new HashMap<>();
        for (AdmissionController.Reading r : admission.readings()) {
            Tags tags = Tags.of("limit", r.what());
            measured.put(tags, r.value());
            bounds.put(tags, (double) r.limit());
        }
        values.setAll(measured);
        limits.setAll(bounds);
    }

    private void jobs(List<JobStore.Present> found) {
        Map<Tags, Double> jobsOf = new HashMap<>();
        for (JobStore.Present p : found) {
            Tags tags = Tags.of("state", p.state().wireName(), "lrms", p.lrms(), "queue", p.queue(), "vo", vo(p.vo()));
            jobsOf.merge(tags, (double) p.jobs(), Double::sum);
        }
        present.setAll(jobsOf);
    }

    /** VOs come from certificates: the first have a tag of their own. */
    private String vo(String name) {
        String vo = name == null ? "none" : name;
        if (vos.size() < MAX_VOS) {
            vos.add(vo);
        }
        return vos.contains(vo) ? vo : OTHERS;
    }

    private void lanes(List<CommandStore.LaneSize> lanes, Instant now) {
        Map<Tags, Double> sizes = new HashMap<>();
        Map<Tags, Double> ages = new HashMap<>();
        for (CommandStore.LaneSize lane : lanes) {
            Tags tags = Tags.of("lane", lane.lane());
            sizes.put(tags, (double) lane.commands());
            if (lane.oldest() != null) {
                ages.put(tags, Math.max(0, Duration.between(lane.oldest(), now).toMillis() / 1000.0));
            }
        }
        waiting.setAll(sizes);
        oldest.setAll(ages);
    }
}
