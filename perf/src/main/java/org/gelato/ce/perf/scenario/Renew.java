package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;

/** The report's renewal of one proxy that many jobs have. */
final class Renew implements Scenario {
    private static final int RENEWALS = 20;
    private static final int BUNCH = 100;
    private static final int FEW = 5;
    private static final int EACH_MILLIS = 2000;
    private static final int SUBMIT_MILLIS = 200;
    /** What the CE sends by its clock is not exactly the same in two stretches of time. */
    private static final double CHANCE = 1;

    private static final double SLOWER = 2;

    @Override
    public String name() {
        return "renew";
    }

    @Override
    public String what() {
        return "One delegation has 5 queued jobs, then N; each time its proxy is renewed 20 times while nothing else goes on."
                + " Then 5 clients of other users submit one job each 5 times a second, without renewals and while the"
                + " proxy of the N jobs is renewed every 2 s. No slots: all jobs stay queued. The report's size is N = 5000.";
    }

    @Override
    public String holds() {
        return "a renewal with N jobs takes at most one statement and one commit more than one with 5; the 95th percentile of"
                + " the other clients' submissions is at most doubled by renewals; no job fails.";
    }

    @Override
    public Set<BatchKind> batches() {
        // Only the simulated one keeps any number of jobs queued without slots.
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 5000;
    }

    @Override
    public int fewestJobs() {
        return 2 * FEW;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        protocol.note("Renewals come every 2 s where the report's came every 12 h: time compression 21600.");
        try (Stage stage =
                Stage.open(SitePlan.of(plan.batch(), 0), Stage.SUBMITTERS + 1, Stage.SUBMITTERS + 1, protocol)) {
            Client renewing = stage.clients().get(0);
            List<Client> others = stage.clients().subList(1, stage.clients().size());
            renewing.submit(FEW);
            settle(stage);
            renew(stage, renewing, new RunRecord(), "");
            double[] few = renew(stage, renewing, protocol, "renewal, 5 jobs");
            for (int sent = FEW; sent < plan.jobs(); sent += BUNCH) {
                renewing.submit(Math.min(BUNCH, plan.jobs() - sent));
            }
            settle(stage);
            double[] many = renew(stage, renewing, protocol, "renewal, N jobs");
            protocol.count("statements_per_renewal.5_jobs", few[0]);
            protocol.count("statements_per_renewal.n_jobs", many[0]);
            protocol.count("commits_per_renewal.5_jobs", few[1]);
            protocol.count("commits_per_renewal.n_jobs", many[1]);
            protocol.count("cpu_ms_per_renewal.5_jobs", few[2]);
            protocol.count("cpu_ms_per_renewal.n_jobs", many[2]);
            protocol.check(Check.atMost("more_statements_per_renewal_with_n_jobs", many[0] - few[0], CHANCE));
            protocol.check(Check.atMost("more_commits_per_renewal_with_n_jobs", many[1] - few[1], CHANCE));
            beside(stage, renewing, others, plan, protocol);
            settle(stage);
            stage.endings();
            stage.finish();
        }
    }

    private static void settle(Stage stage) {
        Lives.await(
                "all jobs to be queued",
                () -> stage.site().store().jobs() - stage.site().store().inState(JobState.IDLE));
    }

    /** Statements, commits and CPU milliseconds of one renewal, without what the CE sends by its clock. */
    private static double[] renew(Stage stage, Client renewing, RunRecord protocol, String name) {
        Counters idle = Counters.of(stage.site());
        Crew.rest(TimeUnit.SECONDS.toNanos(5));
        SiteSample before = stage.sampler().now();
        Counters begin = Counters.of(stage.site());
        Counters background = begin.since(idle);
        for (int i = 0; i < RENEWALS; i++) {
            protocol.latencies(name).timed(renewing::renew);
        }
        Counters counted = Counters.of(stage.site()).since(begin);
        SiteSample after = stage.sampler().now();
        double clock = counted.seconds() / background.seconds();
        return new double[] {
            Math.max(0, counted.sql() - clock * background.sql()) / RENEWALS,
            Math.max(0, counted.commits() - clock * background.commits()) / RENEWALS,
            (double) (after.cpuMillis() - before.cpuMillis()) / RENEWALS
        };
    }

    private static void beside(
            Stage stage, Client renewing, List<Client> others, ScenarioPlan plan, RunRecord protocol) {
        long time = TimeUnit.SECONDS.toNanos(ScenarioPlan.part(plan.jobs(), 200, 3, 30));
        // Once to warm up, then twice each, in turn: what the machine does beside is in both.
        submitting(stage, others, time / 2, "submit, warming up", protocol);
        stage.mark("others submit");
        for (int round = 0; round < 2; round++) {
            submitting(stage, others, time / 2, "submit, no renewals", protocol);
            Crew.Running renewals = stage.crew()
                    .repeat(
                            EACH_MILLIS,
                            () -> protocol.latencies("renewal, beside").timed(renewing::renew));
            submitting(stage, others, time / 2, "submit, beside renewals", protocol);
            renewals.stop();
        }
        protocol.check(Check.atMost(
                "submit_p95_beside_renewals_to_without",
                Rates.ratio(
                        protocol.latencies("submit, beside renewals").millis(95),
                        protocol.latencies("submit, no renewals").millis(95)),
                SLOWER));
    }

    private static void submitting(Stage stage, List<Client> others, long nanos, String name, RunRecord protocol) {
        List<Crew.Running> all = new ArrayList<>();
        others.forEach(c -> all.add(stage.crew()
                .repeat(SUBMIT_MILLIS, () -> protocol.latencies(name).timed(() -> c.submit(1)))));
        Crew.rest(nanos);
        all.forEach(Crew.Running::stop);
    }
}
