package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubSettings;

/** The report's main test: a queue kept full for days, here in compressed time. */
final class Sustain implements Scenario {
    private static final int COMPRESSION = 360;
    private static final Duration JOB = Duration.ofHours(1).dividedBy(COMPRESSION);
    private static final long POLL_MILLIS = Duration.ofMinutes(1).toMillis() / COMPRESSION;
    private static final long USER_MILLIS = Duration.ofMinutes(2).toMillis() / COMPRESSION;
    private static final long RENEW_MILLIS = Duration.ofHours(12).toMillis() / COMPRESSION;
    private static final long CONTROL_NANOS = 200_000_000;
    private static final int LEVEL = 5000;
    private static final int POLLED = 5;
    private static final int BUNCH = 100;
    private static final int USERS = 10;
    private static final double MARGIN = 1.1;
    private static final int PARTS = 8;
    private static final String FIRST = "first eighth";
    private static final String LAST = "last eighth";
    private static final double FLAT_MEMORY = 1.2;
    private static final double FLAT = 1.1;
    private static final double FLAT_LATENCY = 1.25;

    @Override
    public String name() {
        return "sustain";
    }

    @Override
    public String what() {
        return "N jobs by one delegated proxy; after a ramp-up N / 10 (at most 5000) are kept queued before as many slots (at"
                + " most 500), the rate of submission following the queue. Meanwhile a user delegates a further proxy every"
                + " 2 min, every minute 5 jobs are polled and purged when they ended, and the proxy is renewed every 12 h."
                + " The report's size is N = 52685. Time is compressed " + COMPRESSION + "-fold.";
    }

    @Override
    public String holds() {
        return "no job fails or is lost; the queue is never under its level while there are jobs left to submit; from the"
                + " first to the last eighth of that time memory grows by at most 20 %, descriptors by 10 %, the median"
                + " latency of status by 25 %.";
    }

    @Override
    public Set<BatchKind> batches() {
        // Only simulated jobs take exactly the requested time.
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 52_685;
    }

    @Override
    public int fewestJobs() {
        return 100;
    }

    /** What the threads of one run share. */
    private static final class Run {
        final ConcurrentLinkedDeque<String> unpurged = new ConcurrentLinkedDeque<>();
        final AtomicInteger submitted = new AtomicInteger();
        final AtomicInteger purged = new AtomicInteger();
        final AtomicInteger delegated = new AtomicInteger();
        final AtomicInteger renewed = new AtomicInteger();
        volatile String part = "";
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int level = ScenarioPlan.part(plan.jobs(), 10, 1, LEVEL);
        int slots = Math.min(SitePlan.SLOTS, level);
        protocol.note("Time compression " + COMPRESSION + ": jobs of 60 min last " + JOB.toSeconds()
                + " s, a delegation every "
                + USER_MILLIS + " ms, 5 polls every " + POLL_MILLIS + " ms, a renewal every " + RENEW_MILLIS / 1000
                + " s. Costs per second are those of " + COMPRESSION + " seconds of the report's test.");
        protocol.note("New users are " + USERS + " users in turn, each time with a delegation of a new id.");
        SitePlan site = new SitePlan(plan.batch(), slots, new StubSettings(slots, Duration.ZERO, JOB), Map.of());
        try (Stage stage = Stage.open(site, 2 * USERS + 1, USERS, protocol)) {
            long stored = stage.site().store().jobs();
            Run run = new Run();
            SiteSample before = stage.sampler().now();
            Counters counted = Counters.of(stage.site());
            stage.mark("ramp-up");
            work(stage, plan, level, run, protocol);
            stage.awaitEnds();
            SiteSample after = stage.sampler().now();
            Stage.cost(protocol, "", before, after, Counters.of(stage.site()).since(counted), plan.jobs());
            long well = after.in(JobState.DONE_OK) - stored + run.purged.get();
            protocol.count("jobs", run.submitted.get());
            protocol.count("level", level);
            protocol.count("slots", slots);
            protocol.count("time_compression", COMPRESSION);
            protocol.count("purged", run.purged.get());
            protocol.count("delegations", run.delegated.get());
            protocol.count("renewals", run.renewed.get());
            protocol.count("jobs_not_done_ok", run.submitted.get() - well);
            protocol.check(Check.none("jobs_not_done_ok", run.submitted.get() - well));
            flat(stage, level, protocol);
            stage.endings();
            stage.finish();
        }
    }

    private static void work(Stage stage, ScenarioPlan plan, int level, Run run, RunRecord protocol) {
        List<Client> clients = stage.clients();
        Crew.Running users = stage.crew().repeat(USER_MILLIS, () -> {
            int n = run.delegated.getAndIncrement();
            Client user = clients.get(1 + n % (USERS - 1));
            protocol.latencies("delegate").timed(() -> user.delegate("new-" + n));
        });
        // Each tenth client has the first user's proxy: a connection of its own for each thread.
        Client poller = clients.get(USERS);
        Client renewer = clients.get(2 * USERS);
        Crew.Running polls = stage.crew().repeat(POLL_MILLIS, () -> poll(poller, run, protocol));
        Crew.Running renewals = stage.crew().repeat(RENEW_MILLIS, () -> {
            protocol.latencies("renew").timed(renewer::renew);
            run.renewed.incrementAndGet();
        });
        submit(stage, plan.jobs(), level, run, protocol);
        renewals.stop();
        polls.stop();
        users.stop();
    }

    /** Polls the oldest jobs that are not purged, and purges those that have ended. */
    private static void poll(Client poller, Run run, RunRecord protocol) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < POLLED && !run.unpurged.isEmpty()) {
            ids.add(run.unpurged.pollFirst());
        }
        if (ids.isEmpty()) {
            return;
        }
        long begin = System.nanoTime();
        List<String> left = poller.notEnded(ids);
        long took = System.nanoTime() - begin;
        protocol.latencies("status").add(took);
        if (!run.part.isEmpty()) {
            protocol.latencies("status, " + run.part).add(took);
        }
        List<String> ended = ids.stream().filter(id -> !left.contains(id)).toList();
        if (!ended.isEmpty()) {
            protocol.latencies("purge").timed(() -> poller.purge(ended));
            run.purged.addAndGet(ended.size());
        }
        // Read again after all others.
        run.unpurged.addAll(left);
    }

    private static void submit(Stage stage, int jobs, int level, Run run, RunRecord protocol) {
        Client submitter = stage.clients().get(0);
        int wanted = (int) Math.ceil(level * MARGIN);
        int begin = -1;
        while (run.submitted.get() < jobs) {
            long queued = stage.site().store().inState(JobState.IDLE)
                    + stage.site().store().inState(JobState.PENDING);
            if (begin < 0 && queued >= wanted) {
                begin = run.submitted.get();
                stage.mark("sustained");
            }
            if (begin >= 0) {
                run.part = part(run.submitted.get() - begin, jobs - begin);
            }
            int missing = (int) Math.min(wanted - queued, jobs - run.submitted.get());
            for (int sent = 0; sent < missing; sent += BUNCH) {
                int bunch = Math.min(BUNCH, missing - sent);
                run.unpurged.addAll(protocol.latencies("submit").time(() -> submitter.submit(bunch)));
                run.submitted.addAndGet(bunch);
            }
            Crew.rest(CONTROL_NANOS);
        }
        run.part = "";
        stage.mark("drain");
        if (begin < 0) {
            throw new IllegalStateException("the queue never reached its level: too few jobs");
        }
    }

    private static String part(int done, int of) {
        int part = of == 0 ? 0 : (int) ((long) done * PARTS / of);
        return part == 0 ? FIRST : part == PARTS - 1 ? LAST : "";
    }

    private static void flat(Stage stage, int level, RunRecord protocol) {
        double from = protocol.marks().get("sustained");
        double to = protocol.marks().get("drain");
        List<SiteSample> sustained = stage.sampler().samples().stream()
                .filter(s -> s.seconds() >= from && s.seconds() <= to)
                .toList();
        double eighth = (to - from) / PARTS;
        List<SiteSample> first =
                sustained.stream().filter(s -> s.seconds() < from + eighth).toList();
        List<SiteSample> last =
                sustained.stream().filter(s -> s.seconds() > to - eighth).toList();
        if (first.isEmpty() || last.isEmpty()) {
            throw new IllegalStateException("the queue was sustained for " + (to - from) + " s only: too few jobs");
        }
        long least = sustained.stream().mapToLong(SiteSample::queued).min().orElse(0);
        protocol.count("queued_least", least);
        protocol.check(Check.atLeast("queued_least", (double) least, level));
        growth(protocol, "memory", first, last, s -> s.ce().rssKib(), FLAT_MEMORY);
        growth(protocol, "descriptors", first, last, s -> s.ce().descriptors(), FLAT);
        protocol.count("cpu_ms_per_second.first", perSecond(first));
        protocol.count("cpu_ms_per_second.last", perSecond(last));
        protocol.check(Check.atMost(
                "status_median_last_to_first",
                Rates.ratio(
                        protocol.latencies("status, " + LAST).millis(50),
                        protocol.latencies("status, " + FIRST).millis(50)),
                FLAT_LATENCY));
    }

    private static double perSecond(List<SiteSample> part) {
        SiteSample begin = part.get(0);
        SiteSample end = part.get(part.size() - 1);
        return Rates.ratio(
                (double) (end.cpuMillis() - begin.cpuMillis()), Math.max(1, end.seconds() - begin.seconds()));
    }

    private static void growth(
            RunRecord protocol,
            String what,
            List<SiteSample> first,
            List<SiteSample> last,
            ToDoubleFunction<SiteSample> value,
            double bound) {
        double before = Rates.median(first.stream().map(value::applyAsDouble).toList());
        double after = Rates.median(last.stream().map(value::applyAsDouble).toList());
        protocol.check(Check.atMost(what + "_last_to_first", Rates.ratio(after, before), bound));
    }
}
