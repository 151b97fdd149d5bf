package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;

/** The report's ramp-up: submitters that send jobs one after another as fast as they can. */
final class RampUp implements Scenario {
    private static final double SHARE = 0.2;
    private static final double LEAST = 0.9;
    private static final int BEFORE = 20;

    @Override
    public String name() {
        return "ramp-up";
    }

    @Override
    public String what() {
        return "5 users, each with its delegated proxy and kept connection, register and start N / 5 jobs each, one by one,"
                + " as fast as they can; 500 slots. The report's two sizes are N = 2500 and N = 5000.";
    }

    @Override
    public String holds() {
        return "no error, no job lost; the rate of the last fifth of the submissions is not below 90 % of the first fifth's.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.allOf(BatchKind.class);
    }

    @Override
    public int usualJobs() {
        return 5000;
    }

    @Override
    public int fewestJobs() {
        return 2 * Stage.SUBMITTERS;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        protocol.note(
                "Jobs end after about 1.1 s on stub, where the report's ran for 60 min (first test) and 60 s (second"
                        + " test); on real batch systems the payload is /bin/true.");
        protocol.note("Before, " + BEFORE + " further jobs per submitter are sent the same way and not counted.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), Stage.SUBMITTERS, Stage.SUBMITTERS, protocol)) {
            stage.crew().each(stage.clients(), c -> {
                for (int i = 0; i < BEFORE; i++) {
                    c.submit(1);
                }
            });
            stage.awaitEnds();
            long stored = stage.site().store().jobs();
            submit(stage, plan.jobs(), protocol);
            SiteSample end = stage.sampler().now();
            protocol.check(Check.none("jobs_lost", plan.jobs() - (end.in(JobState.DONE_OK) - stored)));
            stage.endings();
            stage.finish();
        }
    }

    private static void submit(Stage stage, int jobs, RunRecord protocol) {
        AtomicLongArray times = new AtomicLongArray(jobs);
        AtomicInteger next = new AtomicInteger();
        // Distinguished from the others' ends: when the first submitter has finished, fewer are at work.
        List<Long> finished = new ArrayList<>();
        SiteSample before = stage.sampler().now();
        Counters counted = Counters.of(stage.site());
        stage.mark("submission");
        long begin = System.nanoTime();
        stage.crew().each(stage.clients(), client -> {
            int index = stage.clients().indexOf(client);
            int share = jobs / Stage.SUBMITTERS + (index < jobs % Stage.SUBMITTERS ? 1 : 0);
            for (int i = 0; i < share; i++) {
                one(client, protocol);
                times.set(next.getAndIncrement(), System.nanoTime() - begin);
            }
            synchronized (finished) {
                finished.add(System.nanoTime() - begin);
            }
        });
        long took = System.nanoTime() - begin;
        stage.mark("rest of the jobs");
        SiteSample submitted = stage.sampler().now();
        stage.awaitEnds();
        SiteSample after = stage.sampler().now();
        long firstEnd = finished.stream().mapToLong(Long::longValue).min().orElse(took);
        long[] together = Rates.upTo(
                LongStream.range(0, jobs).map(i -> times.get((int) i)).toArray(), firstEnd);
        double start = Rates.first(together, SHARE);
        double end = Rates.last(together, SHARE);
        protocol.count("jobs", jobs);
        protocol.count("submitters", Stage.SUBMITTERS);
        protocol.count("accepted_per_second", Rates.perSecond(jobs, took));
        protocol.count("accepted_per_second.first_fifth", start);
        protocol.count("accepted_per_second.last_fifth", end);
        protocol.count("seconds_submitting", took / 1e9);
        protocol.count("seconds_until_idle", after.seconds() - before.seconds());
        protocol.count("submitting.cpu_ms_per_job", (double) (submitted.cpuMillis() - before.cpuMillis()) / jobs);
        Stage.cost(protocol, "life.", before, after, Counters.of(stage.site()).since(counted), jobs);
        protocol.check(Check.none("submissions_missing", jobs - next.get()));
        protocol.check(Check.atLeast("rate_at_end_to_rate_at_start", Rates.ratio(end, start), LEAST));
    }

    private static void one(Client client, RunRecord protocol) {
        List<String> ids = protocol.latencies("register").time(() -> client.register(1));
        protocol.latencies("start").timed(() -> Client.accept(client.ce().start(ids)));
    }
}
