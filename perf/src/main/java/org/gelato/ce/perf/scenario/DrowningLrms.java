package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Metrics;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubControl.Behaviour;

/** The report's observation on robustness: a batch system that drowns in its queue. */
final class DrowningLrms implements Scenario {
    private static final Duration USUAL = Duration.ofMillis(250);
    private static final Duration SLOW = USUAL.multipliedBy(100);
    private static final int BUNCH = 100;
    private static final int SUBMIT_MILLIS = 250;
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final Duration SLOW_FOR = Duration.ofSeconds(90);
    private static final double SLOWER = 2;

    @Override
    public String name() {
        return "drowning-lrms";
    }

    @Override
    public String what() {
        return "The batch system answers a hand-over after 250 ms and keeps N jobs queued; then it answers after 25 s, for"
                + " 90 s, and is as before again, with 500 slots. 5 clients submit 4 jobs a second each for 30 s before it"
                + " slows down and all the time that it is slow. The report saw this at N = 10000.";
    }

    @Override
    public String holds() {
        return "the hand-over pauses; the 95th percentile of registrations at most doubles; then the queue drains, no job"
                + " fails, is lost or runs twice.";
    }

    @Override
    public Set<BatchKind> batches() {
        // Only the simulated one can be made to drown.
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 10_000;
    }

    @Override
    public int fewestJobs() {
        return 10;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        protocol.note("The batch system is slow because it is configured so, not because of its load.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), Stage.SUBMITTERS + 1, Stage.SUBMITTERS, protocol)) {
            long stored = stage.site().store().jobs();
            AtomicInteger submitted = new AtomicInteger();
            stage.site().control(new Behaviour(0, USUAL, true));
            stage.mark("filling");
            Client filler = stage.clients().get(Stage.SUBMITTERS);
            for (int sent = 0; sent < plan.jobs(); sent += BUNCH) {
                submitted.addAndGet(
                        filler.submit(Math.min(BUNCH, plan.jobs() - sent)).size());
            }
            Lives.await("the jobs to be queued", () -> stage.site().store().inState(JobState.PENDING));
            submitting(stage, LOOK, "register, warming up", "start, warming up", submitted, protocol);
            stage.mark("as usual");
            submitting(stage, LOOK, "register, as usual", "start, as usual", submitted, protocol);
            stage.mark("slow");
            stage.site().control(new Behaviour(0, SLOW, true));
            int pauses = submitting(stage, SLOW_FOR, "register, slow", "start, slow", submitted, protocol);
            SiteSample slow = stage.sampler().now();
            protocol.count("waiting_in_ce_at_the_end_of_slowness", slow.in(JobState.PENDING));
            stage.mark("as before");
            stage.site().control(new Behaviour(SitePlan.SLOTS, USUAL, true));
            stage.awaitEnds();
            SiteSample after = stage.sampler().now();
            protocol.count("jobs", submitted.get());
            protocol.count("seconds_draining", after.seconds() - slow.seconds());
            protocol.count("looks_that_saw_a_pause", pauses);
            protocol.check(Check.atLeast("looks_that_saw_a_pause", pauses, 1));
            protocol.check(Check.atMost(
                    "register_p95_slow_to_usual",
                    Rates.ratio(
                            protocol.latencies("register, slow").millis(95),
                            protocol.latencies("register, as usual").millis(95)),
                    SLOWER));
            protocol.check(Check.none("jobs_lost", submitted.get() - (after.in(JobState.DONE_OK) - stored)));
            stage.endings();
            stage.finish();
        }
    }

    /** @return how often it was seen, once a second, that the hand-over is paused */
    private static int submitting(
            Stage stage, Duration time, String register, String start, AtomicInteger submitted, RunRecord protocol) {
        List<Crew.Running> all = new ArrayList<>();
        stage.clients()
                .subList(0, Stage.SUBMITTERS)
                .forEach(c -> all.add(stage.crew().repeat(SUBMIT_MILLIS, () -> {
                    List<String> ids = protocol.latencies(register).time(() -> c.register(1));
                    protocol.latencies(start).timed(() -> Client.accept(c.ce().start(ids)));
                    submitted.incrementAndGet();
                })));
        int pauses = 0;
        for (long second = 0; second < time.toSeconds(); second++) {
            Crew.rest(TimeUnit.SECONDS.toNanos(1));
            pauses += new Metrics(stage.site().page("/metrics")).of("ce_lrms_paused") > 0 ? 1 : 0;
        }
        all.forEach(Crew.Running::stop);
        return pauses;
    }
}
