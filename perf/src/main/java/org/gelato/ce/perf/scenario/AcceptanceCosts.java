package org.gelato.ce.perf.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Latencies;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.site.StockStore;
import org.gelato.ce.perf.stub.StubControl;
import org.gelato.ce.testkit.pki.GridPki;

/** What accepting and answering may cost, one figure after the other on one CE. */
final class AcceptanceCosts implements Scenario {
    private static final int BUNCH = 100;
    private static final int ASKED = 1700;
    private static final int ASKING = 20;
    private static final int WARM_UP = 5;
    /** Calls for states before the first that is counted: after so many their cost no longer falls. */
    private static final int ASKED_BEFORE = 200;

    private static final int IDLE_STARTS = 20;
    private static final int ROUNDS = 5;
    private static final int QUEUED_MOST = 5000;

    private static final double SINGLE_CPU = 2;
    private static final double BUNCH_CPU = 0.4;
    private static final double TO_TRIVIAL = 0.8;
    private static final int STATUS_SQL = 3;
    private static final double STATUS_CPU = 15;
    private static final double AS_FEW = 1.1;
    private static final long RSS_MIB = 350;
    private static final double START_MILLIS = 20;

    @Override
    public String name() {
        return "targets";
    }

    @Override
    public String what() {
        return "While the batch system takes no jobs: N / 100 (at most 2000) jobs are registered and started one by one by 5"
                + " users on kept connections, as many 100 per call by one, and some with a new TLS connection for each call,"
                + " in turn with a trivial operation. Then N / 40 (at most 5000) are queued, the states of 1700 (N / 100 at"
                + " least) of one user are asked for, N ended jobs are stored, and they are asked for again. At last the batch"
                + " system opens, and jobs are started one after another on an idle CE. The size asked for is N = 200000.";
    }

    @Override
    public String holds() {
        return "CPU of JVM, helper and database for an accepted job at most 2 ms singly and 0.4 ms by 100; with new"
                + " connections at least 80 % of the trivial operation's rate; states of 1700 jobs at most 3 statements and"
                + " 15 ms CPU, and with N stored not 10 % slower than without; the JVM at most 350 MiB; a start reaches the"
                + " batch system within 20 ms (median).";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 200_000;
    }

    @Override
    public int fewestJobs() {
        return 1000;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int some = ScenarioPlan.part(plan.jobs(), BUNCH, 10, 2000) / 5 * 5;
        protocol.note("Stored jobs are copies of one the CE brought to its end, by SQL; they have no sandboxes.");
        protocol.note("What is measured is done once before, as often, and not counted; before that, " + WARM_UP
                + " times as many jobs went through the CE, one by one. States are asked for " + ASKED_BEFORE
                + " times before.");
        protocol.note("The time of a start is from its command's row to the hand-over's, both by the CE's clock, on a"
                + " simulated batch system that answers at once.");
        protocol.note(
                "The CE keeps idle connections for 1 s (gelato.http.keep-alive), or those that are used once would fill"
                        + " its 400.");
        SitePlan usual = SitePlan.of(plan.batch());
        SitePlan site =
                new SitePlan(usual.batch(), usual.slots(), usual.stub(), Map.of("gelato.http.keep-alive", "1 s"));
        try (Stage stage = Stage.open(site, Stage.SUBMITTERS, Stage.SUBMITTERS, protocol)) {
            Client client = stage.clients().get(0);
            JobId model = JobId.parse(client.submit(1).get(0)).orElseThrow();
            stage.mark("warm-up");
            singles(stage, WARM_UP * some);
            stage.awaitEnds();
            stage.site().control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, false));
            stage.mark("one by one");
            singles(stage, some);
            accepted(
                    protocol,
                    "single",
                    Spent.on(stage, () -> singles(stage, some)).per(some),
                    SINGLE_CPU);
            stage.mark("100 per call");
            List<String> ids = new ArrayList<>(bunches(client, some));
            accepted(
                    protocol,
                    "by_100",
                    Spent.on(stage, () -> ids.addAll(bunches(client, some))).per(some),
                    BUNCH_CPU);
            stage.mark("new connections");
            connections(stage, Math.max(Stage.SUBMITTERS, some / 20), protocol);
            stage.mark("queued");
            int queued = ScenarioPlan.part(plan.jobs(), 40, 1, QUEUED_MOST);
            while (stage.sampler().now().queued() < queued || ids.size() < Math.min(ASKED, plan.jobs() / 100)) {
                ids.addAll(client.submit(BUNCH));
            }
            stored(stage, model, ids.subList(0, Math.min(ASKED, ids.size())), plan.jobs(), protocol);
            stage.mark("batch system opens");
            stage.site().control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, true));
            stage.awaitEnds();
            stage.mark("idle starts");
            idleStarts(stage, client, protocol);
            stage.endings();
            stage.finish();
        }
    }

    private static void singles(Stage stage, int jobs) {
        stage.crew().each(stage.clients(), client -> {
            for (int i = 0; i < jobs / Stage.SUBMITTERS; i++) {
                client.submit(1);
            }
        });
    }

    private static List<String> bunches(Client client, int jobs) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < jobs) {
            ids.addAll(client.submit(Math.min(BUNCH, jobs - ids.size())));
        }
        return ids;
    }

    private static void accepted(RunRecord protocol, String name, Spent spent, double bound) {
        protocol.count("accepted_" + name + ".sql_per_job", spent.sql());
        protocol.check(Check.atMost("accepted_" + name + ".cpu_ms_per_job", spent.cpuMillis(), bound));
    }

    /** Rates of two calls with a new connection each, in turn: register and start, and twice a trivial operation. */
    private static void connections(Stage stage, int jobs, RunRecord protocol) {
        List<Double> accepted = new ArrayList<>();
        List<Double> trivial = new ArrayList<>();
        for (int round = -1; round < ROUNDS; round++) {
            double ours = rate(stage, jobs, (client, pair) -> {
                List<String> ids = client.on(pair.first()).register(1);
                Client.accept(pair.second().start(ids));
            });
            double theirs = rate(stage, jobs, (client, pair) -> {
                pair.first().serviceInfo();
                pair.second().serviceInfo();
            });
            // The first is to warm up.
            if (round >= 0) {
                accepted.add(ours);
                trivial.add(theirs);
            }
        }
        protocol.count("accepted_per_second.new_connections", Rates.median(accepted));
        protocol.count("trivial_pairs_per_second.new_connections", Rates.median(trivial));
        protocol.check(Check.atLeast(
                "accepted_to_trivial.new_connections",
                Rates.ratio(Rates.median(accepted), Rates.median(trivial)),
                TO_TRIVIAL));
    }

    /** Two connections that are not made yet. */
    private record Pair(ComputingElement first, ComputingElement second) {}

    /** What is done with two new connections. */
    @FunctionalInterface
    private interface Work {
        void with(Client client, Pair pair);
    }

    private static double rate(Stage stage, int jobs, Work work) {
        PerfSite site = stage.site();
        GridPki pki = site.pki();
        // Made before: a client's own cost is not measured.
        List<List<Pair>> pairs = IntStream.range(0, Stage.SUBMITTERS)
                .mapToObj(user -> {
                    Path proxy = pki.proxy(pki.user("Submitter " + user))
                            .write(site.base().resolve("target-" + user + ".pem"));
                    return Stream.generate(
                                    () -> new Pair(Client.connectAnew(site, proxy), Client.connectAnew(site, proxy)))
                            .limit(jobs / Stage.SUBMITTERS)
                            .toList();
                })
                .toList();
        long begin = System.nanoTime();
        stage.crew()
                .each(
                        IntStream.range(0, Stage.SUBMITTERS).boxed().toList(),
                        user -> pairs.get(user)
                                .forEach(pair -> work.with(stage.clients().get(user), pair)));
        return Rates.perSecond((long) pairs.size() * pairs.get(0).size(), System.nanoTime() - begin);
    }

    private static void stored(Stage stage, JobId model, List<String> ids, int jobs, RunRecord protocol) {
        ComputingElement ce = stage.clients().get(0).ce();
        stage.mark("states, few stored");
        ask(ce, ids, ASKED_BEFORE, new Latencies());
        Latencies few = protocol.latencies("status of " + ids.size() + ", few stored");
        ask(ce, ids, ASKING, few);
        try (StockStore stock = stage.site().stock()) {
            stock.copy(model, jobs);
        }
        stage.mark("states, all stored");
        ask(ce, ids, ASKING, new Latencies());
        Latencies all = protocol.latencies("status of " + ids.size() + ", all stored");
        Spent spent = Spent.on(stage, () -> ask(ce, ids, ASKING, all)).per(ASKING);
        protocol.count("asked", ids.size());
        protocol.check(Check.atMost("status.sql", spent.sql(), STATUS_SQL));
        protocol.check(Check.atMost("status.cpu_ms", spent.cpuMillis(), STATUS_CPU));
        protocol.check(Check.atMost("status.all_stored_to_few", Rates.ratio(all.millis(50), few.millis(50)), AS_FEW));
        protocol.check(Check.atMost("ce_rss_mib", stage.sampler().now().ce().rssKib() / 1024.0, RSS_MIB));
    }

    private static void ask(ComputingElement ce, List<String> ids, int times, Latencies latencies) {
        for (int i = 0; i < times; i++) {
            latencies.timed(() -> ce.status(JobSelector.of(ids)));
        }
    }

    private static void idleStarts(Stage stage, Client client, RunRecord protocol) {
        long before = stage.counts().lastJob();
        for (int i = 0; i < IDLE_STARTS; i++) {
            client.submit(1);
            stage.awaitEnds();
        }
        List<Double> millis = stage.counts().startMillis(before);
        millis.forEach(m -> protocol.latencies("idle start").add((long) (m * 1e6)));
        protocol.count("idle_starts", millis.size());
        protocol.check(Check.none("idle_starts_missing", IDLE_STARTS - millis.size()));
        protocol.check(Check.atMost("idle_start_ms", Rates.median(millis), START_MILLIS));
        Lives.await("all commands", stage.counts()::openCommands);
    }
}
