package org.gelato.ce.ws.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.core.monitoring.RecentJobs;
import org.gelato.ce.core.monitoring.Ring;
import org.gelato.ce.core.monitoring.Series;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the page shows, for each span of time. Made at most every few seconds, whoever reads: six statements, whatever is stored. One thread
 * makes it, others get what there was before. While the database does not respond the page gets what this node knows alone. Thread-safe.
 */
public final class DashboardData {
    /** Statements of one refresh. */
    static final int STATEMENTS = 6;

    private static final long FRESH = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_SECONDS = 2;
    private static final int OWNERS = 20;
    private static final Logger log = LoggerFactory.getLogger(DashboardData.class);

    private final LiveState live;
    private final SeriesStore series;
    private final RecentJobs recent;
    private final Clock clock;
    private final LongSupplier nanos;
    private final Map<Ring, Cached> kept = new EnumMap<>(Ring.class);

    /** What was made last for a span. */
    private static final class Cached {
        private final ReentrantLock making = new ReentrantLock();
        private volatile byte[] bytes;
        private volatile long made;
    }

    /** @param nanos a clock that never goes back, in nanoseconds */
    public DashboardData(LiveState live, SeriesStore series, RecentJobs recent, Clock clock, LongSupplier nanos) {
        this.live = live;
        this.series = series;
        this.recent = recent;
        this.clock = clock;
        this.nanos = nanos;
        for (Ring ring : Ring.values()) {
            kept.put(ring, new Cached());
        }
    }

    /**
     * The JSON of a span that is there; null when there is none.
     *
     * @param old whether it may be of any age; otherwise null, too, when it is time for the next
     */
    byte[] kept(Ring ring, boolean old) {
        Cached of = kept.get(ring);
        return old || nanos.getAsLong() - of.made < FRESH ? of.bytes : null;
    }

    /** The JSON of a span, some seconds old; null when it is being made for the first time and takes long. */
    byte[] bytes(Ring ring) throws InterruptedException {
        Cached of = kept.get(ring);
        byte[] old = of.bytes;
        boolean locked = old == null ? of.making.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS) : of.making.tryLock();
        if (!locked) {
            return old;
        }
        try {
            if (of.bytes == null || nanos.getAsLong() - of.made >= FRESH) {
                of.bytes = PageJson.MAPPER.writeValueAsBytes(make(ring));
                of.made = nanos.getAsLong();
            }
            return of.bytes;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the dashboard's data are no JSON", e);
        } finally {
            of.making.unlock();
        }
    }

    private Map<String, Object> make(Ring ring) {
        Instant now = clock.instant();
        List<JobStore.Present> present = live.present();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time", now);
        json.put("span", ring.text());
        json.put("now", live.now());
        Situation situation = live.situation();
        // In its place among the values, and stated anew when it is known how jobs ended.
        json.put("verdict", Verdict.of(situation));
        json.put("checks", situation.checks());
        try {
            json.put("charts", Measure.Chart.values());
            Series read = series.read(ring, now);
            Map<String, Object> columns = new LinkedHashMap<>(read.values());
            columns.put("time", read.times());
            json.put("series", columns);
            Duration span = ring.step().multipliedBy(ring.slots());
            RecentJobs.Tables tables = recent.read(now.minus(span), busiest(present));
            tables(json, tables, present);
            if (ring == Ring.HOUR) {
                json.put("verdict", Verdict.of(situation, ends(tables)));
            }
        } catch (RuntimeException e) {
            log.debug("no data for the dashboard: {}", e.toString());
            json.put("error", "the database does not respond; what is shown is what this node knows alone");
        }
        return json;
    }

    /** The owners with the most jobs. */
    private static Collection<Integer> busiest(List<JobStore.Present> present) {
        Map<Integer, Long> jobs = new HashMap<>();
        if (present != null) {
            present.forEach(p -> jobs.merge(p.owner(), p.jobs(), Long::sum));
        }
        return jobs.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(OWNERS)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void tables(Map<String, Object> json, RecentJobs.Tables tables, List<JobStore.Present> present) {
        ShareTable vos = new ShareTable();
        ShareTable owners = new ShareTable();
        ShareTable queues = new ShareTable();
        ShareTable nodes = new ShareTable();
        for (JobStore.Present p : present == null ? List.<JobStore.Present>of() : present) {
            vos.present(p.vo() == null ? "none" : p.vo(), null, p.state(), p.jobs());
            queues.present(p.lrms() + "-" + p.queue(), null, p.state(), p.jobs());
            Owner owner = tables.owners().get(p.owner());
            if (owner != null) {
                owners.present(owner.subject(), owner.group(), p.state(), p.jobs());
            }
        }
        vos.ended(tables.vos());
        owners.ended(tables.ownerShares());
        queues.ended(tables.queues());
        nodes.ended(tables.nodes());
        json.put("ended", tables.jobs());
        json.put("endedMost", RecentJobs.MAX);
        json.put("endedSince", tables.oldest());
        json.put("failuresOf", tables.failed());
        json.put("failuresSince", tables.failedSince());
        json.put("rowsMost", ShareTable.ROWS);
        json.put("vos", vos.json());
        json.put("owners", owners.json());
        json.put("queues", queues.json());
        json.put("nodes", nodes.json());
        json.put("failures", tables.failures());
        json.put("stages", tables.stages());
        json.put("suspects", tables.suspects());
        json.put("ces", tables.ces());
    }

    /** All numbers are of the same jobs; their reasons are of those that are stored yet. */
    private static Verdict.Ends ends(RecentJobs.Tables tables) {
        List<RecentJobs.Failure> failures = tables.failures();
        List<RecentJobs.Suspect> suspects = tables.suspects();
        return new Verdict.Ends(
                tables.jobs(),
                tables.endedFailed(),
                tables.endedNonZero(),
                failures.isEmpty() ? null : failures.get(0).reason(),
                suspects.isEmpty() ? null : suspects.get(0).node());
    }
}
