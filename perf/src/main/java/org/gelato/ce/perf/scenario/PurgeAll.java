package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.site.StockSandboxes;
import org.gelato.ce.perf.site.StockStore;

/** The report's purge of 70 000 jobs by one call. */
final class PurgeAll implements Scenario {
    private static final int FILLERS = 2;
    private static final int OTHERS_JOBS = 10;
    private static final int PROBE_MILLIS = 50;
    private static final int MAX_WARM_UP = 7000;
    private static final int MAX_SINGLES = 700;
    private static final double CPU = 0.5;
    private static final double COMMITS = 0.05;
    private static final double SLOWER = 2;

    @Override
    public String name() {
        return "purge-all";
    }

    @Override
    public String what() {
        return "One user has N ended jobs with sandboxes, and a tenth more (at most 7000) whose purge comes first, as in a CE that has"
                + " been at work, and N / 100 that are purged one id a call; then purges all of them by one JobPurge. Another user asks for the"
                + " states of 10 jobs 20 times a second before, meanwhile, while sandboxes are removed, and afterwards. The CPU"
                + " of a second without purge, before or afterwards, whichever is less, is not counted as the purge's. The"
                + " report's size is N = 70000.";
    }

    @Override
    public String holds() {
        return "at most 0.5 ms CPU of JVM, helper and database and 0.05 commits per job, up to the removal of the last"
                + " sandbox; nothing is left; the 95th percentile of the other user's calls is at most doubled.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.allOf(BatchKind.class);
    }

    @Override
    public int usualJobs() {
        return 70_000;
    }

    @Override
    public int fewestJobs() {
        return 10;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        protocol.note(
                "All but one of the ended jobs are copies of one the CE brought to its end: rows by SQL, sandboxes"
                        + " with all files by the file system.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), 2, 2, protocol)) {
            Client owner = stage.clients().get(0);
            Client other = stage.clients().get(1);
            JobId model = JobId.parse(owner.submit(1).get(0)).orElseThrow();
            List<String> watched = other.submit(OTHERS_JOBS);
            stage.awaitEnds();
            int warmUp = ScenarioPlan.part(plan.jobs(), 10, 1, MAX_WARM_UP);
            int singles = ScenarioPlan.part(plan.jobs(), 100, 1, MAX_SINGLES);
            int before = warmUp + singles;
            StockSandboxes sandboxes = stock(stage, model, plan.jobs() - 1 + before);
            protocol.check(Check.none("sandboxes_missing_before", plan.jobs() + before - sandboxes.inPlace()));
            ask(other, watched, protocol, "status, warming up");
            Client.accept(owner.ce().purge(JobSelector.of(owner.ce().list().subList(0, warmUp))));
            Lives.await(
                    "the purge of the first jobs",
                    () -> stage.site().store().jobs() - OTHERS_JOBS - plan.jobs() - singles + sandboxes.inTrash());
            oneByOne(owner, owner.ce().list().subList(0, singles), protocol);
            Lives.await(
                    "the purge of single jobs",
                    () -> stage.site().store().jobs() - OTHERS_JOBS - plan.jobs() + sandboxes.inTrash());
            protocol.count("purged_before", before);
            measure(stage, owner, plan, protocol, sandboxes, () -> other.notEnded(watched));
            protocol.check(Check.none("jobs_left", stage.site().store().jobs() - OTHERS_JOBS));
            protocol.check(Check.none("sandboxes_left", sandboxes.inPlace() + sandboxes.inTrash()));
            stage.endings();
            stage.finish();
        }
    }

    /** By one client, on a connection that is kept. */
    private static void oneByOne(Client owner, List<String> ids, RunRecord protocol) {
        long begin = System.nanoTime();
        ids.forEach(id -> protocol.latencies("purge of one").timed(() -> owner.purge(List.of(id))));
        protocol.count("one_id_a_call.per_second", Rates.perSecond(ids.size(), System.nanoTime() - begin));
    }

    private static void ask(Client other, List<String> watched, RunRecord protocol, String name) {
        for (int i = 0; i < 200; i++) {
            protocol.latencies(name).timed(() -> other.notEnded(watched));
        }
    }

    private static StockSandboxes stock(Stage stage, JobId model, int copies) {
        StockSandboxes sandboxes = StockSandboxes.like(stage.site(), model);
        try (StockStore stock = stage.site().stock()) {
            StockStore.Rows rows = stock.copy(model, copies);
            List<List<JobId>> parts = new ArrayList<>();
            for (int p = 0; p < FILLERS; p++) {
                int part = p;
                parts.add(IntStream.rangeClosed(rows.first(), rows.last())
                        .mapToObj(stock::id)
                        // By directory: two threads must not make the same one.
                        .filter(id -> id.number() / 10_000_000 % FILLERS == part)
                        .toList());
            }
            stage.crew().each(parts, sandboxes::make);
        }
        return sandboxes;
    }

    private static void measure(
            Stage stage,
            Client owner,
            ScenarioPlan plan,
            RunRecord protocol,
            StockSandboxes sandboxes,
            Runnable probe) {
        String quiet = "status, before";
        String during = "status, while purging";
        String removing = "status, while sandboxes are removed";
        stage.mark("before");
        Crew.Running probes = stage.crew()
                .repeat(PROBE_MILLIS, () -> protocol.latencies(quiet).timed(probe));
        SiteSample quietFrom = stage.sampler().now();
        Crew.rest(aWhile(plan));
        probes.stop();
        SiteSample before = stage.sampler().now();
        Counters counted = Counters.of(stage.site());
        stage.mark("purge");
        probes = stage.crew()
                .repeat(PROBE_MILLIS, () -> protocol.latencies(during).timed(probe));
        long begin = System.nanoTime();
        protocol.latencies("purge of all").timed(() -> Client.accept(owner.ce().purge(JobSelector.ALL)));
        Lives.await("the purge of all jobs", () -> stage.site().store().jobs() - OTHERS_JOBS);
        long rowsGone = System.nanoTime() - begin;
        probes.stop();
        SiteSample gone = stage.sampler().now();
        stage.mark("removal of sandboxes");
        probes = stage.crew()
                .repeat(PROBE_MILLIS, () -> protocol.latencies(removing).timed(probe));
        Lives.await("the removal of all sandboxes", sandboxes::inTrash);
        Crew.rest(TimeUnit.SECONDS.toNanos(1));
        probes.stop();
        Counters all = Counters.of(stage.site()).since(counted);
        SiteSample after = stage.sampler().now();
        stage.mark("afterwards");
        probes = stage.crew()
                .repeat(
                        PROBE_MILLIS,
                        () -> protocol.latencies("status, afterwards").timed(probe));
        Crew.rest(aWhile(plan));
        probes.stop();
        double without = Math.min(
                perSecond(quietFrom, before), perSecond(after, stage.sampler().now()));
        double purge =
                (after.cpuMillis() - before.cpuMillis() - without * (after.seconds() - before.seconds())) / plan.jobs();
        protocol.count("cpu_ms_per_second_without_purge", without);
        protocol.count("jobs", plan.jobs());
        protocol.count("purged_per_second", Rates.perSecond(plan.jobs(), rowsGone));
        protocol.count("seconds_until_rows_gone", rowsGone / 1e9);
        protocol.count(
                "until_rows_gone.cpu_ms_per_job", (double) (gone.cpuMillis() - before.cpuMillis()) / plan.jobs());
        Stage.cost(protocol, "", before, after, all, plan.jobs());
        protocol.check(Check.atMost("cpu_ms_per_job_of_the_purge", purge, CPU));
        protocol.check(Check.atMost("commits_per_job", (double) all.commits() / plan.jobs(), COMMITS));
        double base = protocol.latencies(quiet).millis(95);
        protocol.check(Check.atMost(
                "status_p95_purging_to_before",
                Rates.ratio(protocol.latencies(during).millis(95), base),
                SLOWER));
        protocol.check(Check.atMost(
                "status_p95_removing_to_before",
                Rates.ratio(protocol.latencies(removing).millis(95), base),
                SLOWER));
    }

    private static long aWhile(ScenarioPlan plan) {
        return TimeUnit.SECONDS.toNanos(ScenarioPlan.part(plan.jobs(), 1000, 2, 15));
    }

    private static double perSecond(SiteSample from, SiteSample to) {
        return (to.cpuMillis() - from.cpuMillis()) / (to.seconds() - from.seconds());
    }
}
