package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.Sample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.site.StockStore;
import org.gelato.ce.perf.stub.StubControl;
import org.gelato.ce.perf.trivial.TrivialProcess;

/** The report's start of a CE that has many jobs, after a kill in the midst of work. */
final class Restart implements Scenario {
    private static final int STARTS = 5;
    private static final int QUEUED_MOST = 5000;
    private static final int BUNCH = 100;
    private static final double AS_EMPTY = 1.1;
    private static final double AS_TRIVIAL = 2;

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String what() {
        return "The CE is killed (SIGKILL) and started 5 times with nothing stored, 5 times with 35 % of N jobs stored, 5"
                + " times with N, and from the first job on with N / 40 (at most 5000) start commands queued, as the batch"
                + " system takes none; between the starts a server with one trivial operation is started. At last the batch"
                + " system opens and everything queued must run. A start lasts until getServiceInfo is answered. The size"
                + " asked for is N = 200000.";
    }

    @Override
    public String holds() {
        return "the median start with N stored takes at most 110 % of that with nothing stored, and at most twice that of"
                + " the trivial server; no command is lost, no job fails or runs twice.";
    }

    @Override
    public Set<BatchKind> batches() {
        // A real batch system cannot be told to take nothing; and those that go on while the CE is dead are for the
        // kill tests.
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int fewestJobs() {
        return 40;
    }

    @Override
    public void run(ScenarioPlan plan, Protocol protocol) {
        int queued = ScenarioPlan.part(plan.jobs(), 40, 1, QUEUED_MOST);
        int fewer = plan.jobs() * 7 / 20;
        protocol.note("Stored jobs are copies of one the CE brought to its end, by SQL; they have no sandboxes.");
        protocol.note("The queued jobs were registered and started by clients while the simulated batch system refused"
                + " every hand-over; it keeps its jobs in memory, so it had none when the CE was killed.");
        protocol.note(
                "The answer of the CE is that of a call with client certificate; the trivial server asks for none.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), 2, 2, protocol)) {
            Client client = stage.clients().get(0);
            JobId model = JobId.parse(client.submit(1).get(0)).orElseThrow();
            stage.awaitEnds();
            List<Double> trivial = new ArrayList<>();
            List<Double> empty = starts(stage, "nothing stored", trivial);
            stage.site().control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, false));
            for (int sent = 0; sent < queued; sent += BUNCH) {
                client.submit(Math.min(BUNCH, queued - sent));
            }
            List<Double> some;
            List<Double> all;
            try (StockStore stock = stage.site().stock()) {
                stock.copy(model, fewer);
                some = starts(stage, "35 % stored", trivial);
                stock.copy(model, plan.jobs() - fewer);
                all = starts(stage, "all stored", trivial);
            }
            Sample before = stage.sampler().now();
            protocol.count("stored", before.ended());
            protocol.count("queued", before.in(JobState.PENDING));
            protocol.check(Check.none("queued_jobs_lost", queued - before.in(JobState.PENDING)));
            stage.mark("batch system opens");
            stage.site().control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, true));
            stage.awaitEnds();
            Sample after = stage.sampler().now();
            protocol.check(Check.none("commands_lost", before.ended() + queued - after.in(JobState.DONE_OK)));
            judge(protocol, empty, some, all, trivial);
            stage.endings();
            stage.finish();
        }
    }

    private static List<Double> starts(Stage stage, String phase, List<Double> trivial) {
        PerfSite site = stage.site();
        List<Double> seconds = new ArrayList<>();
        stage.mark(phase);
        for (int i = 0; i < STARTS; i++) {
            site.killCe();
            seconds.add(site.startCe(() -> stage.clients().get(1).ce().serviceInfo())
                            .toMillis()
                    / 1000.0);
            Lives.await("the CE to be ready", () -> isReady(site) ? 0 : 1);
            trivial.add(TrivialProcess.start(site).toMillis() / 1000.0);
        }
        return seconds;
    }

    private static boolean isReady(PerfSite site) {
        try {
            return !site.page("/health/live").isEmpty();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static void judge(
            Protocol protocol, List<Double> empty, List<Double> some, List<Double> all, List<Double> trivial) {
        starts(protocol, "start_seconds.nothing_stored", empty);
        starts(protocol, "start_seconds.some_stored", some);
        starts(protocol, "start_seconds.all_stored", all);
        starts(protocol, "start_seconds.trivial_server", trivial);
        double median = Rates.median(all);
        protocol.check(Check.atMost("start_all_stored_to_nothing", Rates.ratio(median, Rates.median(empty)), AS_EMPTY));
        protocol.check(Check.atMost(
                "start_some_stored_to_nothing", Rates.ratio(Rates.median(some), Rates.median(empty)), AS_EMPTY));
        protocol.check(
                Check.atMost("start_all_stored_to_trivial", Rates.ratio(median, Rates.median(trivial)), AS_TRIVIAL));
    }

    private static void starts(Protocol protocol, String name, List<Double> seconds) {
        protocol.count(name, Rates.median(seconds));
        protocol.count(
                name + ".least", seconds.stream().mapToDouble(d -> d).min().orElse(0));
        protocol.count(
                name + ".most", seconds.stream().mapToDouble(d -> d).max().orElse(0));
    }
}
