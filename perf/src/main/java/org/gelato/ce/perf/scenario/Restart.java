package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.site.StockStore;
import org.gelato.ce.perf.stub.StubControl;
import org.gelato.ce.perf.trivial.TrivialProcess;

/** The report's start of a CE that has many jobs, after a kill in the midst of work. */
final class Restart implements Scenario {
    private static final int STARTS = 7;
    private static final int QUEUED_MOST = 5000;
    private static final int BUNCH = 100;
    private static final double AS_EMPTY = 1.1;
    private static final double AS_TRIVIAL = 2;

    /**
     * A start of the CE, and that of the trivial server right before it.
     *
     * @param own in seconds
     * @param trivial in seconds
     */
    private record Start(double own, double trivial) {
        double toTrivial() {
            return Rates.ratio(own, trivial);
        }
    }

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String what() {
        return "The CE is killed (SIGKILL) and started " + STARTS
                + " times with nothing stored, as often with 35 % of N"
                + " jobs stored, and with N, and from the first job on with N / 40 (at most 5000) start commands queued, as"
                + " the batch system takes none; before each start a server with one trivial operation is started, whose"
                + " time is the unit of that start: a machine's speed changes within the run. At last the batch system"
                + " opens and everything queued must run. A start lasts until getServiceInfo is answered. The size asked"
                + " for is N = 200000.";
    }

    @Override
    public String holds() {
        return "the median start with N stored takes at most 110 % of that with nothing stored, and at most twice that of"
                + " the trivial server; no command is lost, no job fails or runs twice.";
    }

    @Override
    public Set<BatchKind> batches() {
        // A real batch system cannot be made to accept nothing; and those that continue while the CE is dead are for
        // the
        // kill tests.
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 200_000;
    }

    @Override
    public int fewestJobs() {
        return 40;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int queued = ScenarioPlan.part(plan.jobs(), 40, 1, QUEUED_MOST);
        int fewer = plan.jobs() * 7 / 20;
        protocol.note("Stored jobs are copies of one the CE brought to its end, by SQL; they have no sandboxes.");
        protocol.note("The queued jobs were registered and started by clients while the simulated batch system refused"
                + " every hand-over; it keeps its jobs in memory, so it had none when the CE was killed.");
        protocol.note(
                "The answer of the CE is that of a call with client certificate; the trivial server requests none.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), 2, 2, protocol)) {
            Client client = stage.clients().get(0);
            JobId model = JobId.parse(client.submit(1).get(0)).orElseThrow();
            stage.awaitEnds();
            List<Start> empty = starts(stage, "nothing stored");
            stage.site().control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, false));
            for (int sent = 0; sent < queued; sent += BUNCH) {
                client.submit(Math.min(BUNCH, queued - sent));
            }
            List<Start> some;
            List<Start> all;
            try (StockStore stock = stage.site().stock()) {
                stock.copy(model, fewer);
                some = starts(stage, "35 % stored");
                stock.copy(model, plan.jobs() - fewer);
                all = starts(stage, "all stored");
            }
            SiteSample before = stage.sampler().now();
            protocol.count("stored", before.ended());
            protocol.count("queued", before.in(JobState.PENDING));
            protocol.check(Check.none("queued_jobs_lost", queued - before.in(JobState.PENDING)));
            stage.mark("batch system opens");
            stage.site().control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, true));
            stage.awaitEnds();
            SiteSample after = stage.sampler().now();
            protocol.check(Check.none("commands_lost", before.ended() + queued - after.in(JobState.DONE_OK)));
            judge(protocol, empty, some, all);
            stage.endings();
            stage.finish();
        }
    }

    private static List<Start> starts(Stage stage, String phase) {
        PerfSite site = stage.site();
        List<Start> starts = new ArrayList<>();
        stage.mark(phase);
        for (int i = 0; i < STARTS; i++) {
            site.killCe();
            // While the CE is dead: beside one that continues its own work it would be slower, and flatter the CE.
            Duration trivial = TrivialProcess.start(site);
            Duration own = site.startCe(() -> stage.clients().get(1).ce().serviceInfo());
            Lives.await("the CE to be ready", () -> isReady(site) ? 0 : 1);
            starts.add(new Start(own.toMillis() / 1000.0, trivial.toMillis() / 1000.0));
        }
        return starts;
    }

    private static boolean isReady(PerfSite site) {
        try {
            return !site.page("/health/live").isEmpty();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static void judge(RunRecord protocol, List<Start> empty, List<Start> some, List<Start> all) {
        starts(protocol, "nothing_stored", empty);
        starts(protocol, "some_stored", some);
        starts(protocol, "all_stored", all);
        double nothing = toTrivial(empty);
        protocol.check(Check.atMost("start_all_stored_to_nothing", Rates.ratio(toTrivial(all), nothing), AS_EMPTY));
        protocol.check(Check.atMost("start_some_stored_to_nothing", Rates.ratio(toTrivial(some), nothing), AS_EMPTY));
        protocol.check(Check.atMost("start_all_stored_to_trivial", toTrivial(all), AS_TRIVIAL));
    }

    private static double toTrivial(List<Start> starts) {
        return Rates.median(starts.stream().map(Start::toTrivial).toList());
    }

    private static void starts(RunRecord protocol, String name, List<Start> starts) {
        List<Double> own = starts.stream().map(Start::own).toList();
        protocol.count("start_seconds." + name, Rates.median(own));
        protocol.count("start_seconds." + name + ".least", Collections.min(own));
        protocol.count("start_seconds." + name + ".most", Collections.max(own));
        protocol.count(
                "start_seconds.trivial_server_beside." + name,
                Rates.median(starts.stream().map(Start::trivial).toList()));
        protocol.count("start_to_trivial." + name, toTrivial(starts));
    }
}
