package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.ArcClient;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.load.LoadProtocol;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.ProcessReading;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.ThreadCpu;
import org.gelato.ce.perf.peer.ArcServer;
import org.gelato.ce.perf.peer.KnownToken;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.NotPossibleException;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubControl;
import org.gelato.ce.testkit.arex.ArexBatch;
import org.gelato.ce.testkit.arex.ArexSite;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.slurm.SlurmTestSite;

/** The same requests over ARC REST to Debian's A-REX and to this CE, in turn in one run. */
final class ArcPeer implements Scenario {
    private static final int ROUNDS = 3;
    private static final int BUNCH = 100;
    /** Requests of this CE before the first that counts, for each that counts: a JVM that has seen few still compiles. */
    private static final int WARM_UP = 4;

    private static final int DELEGATIONS = 80;
    private static final int KEYS = 128;
    private static final String KEY_THREAD = "key-pool";
    private static final int TOKEN_CALLS = 1000;

    private static final double SINGLES = 5;
    private static final double BUNCHES = 10;
    private static final double FINISHED = 20;
    private static final double DELEGATION_CPU = 2;
    private static final double TOKEN_CPU = 0.2;

    /** A server's results, round by round. */
    private record Results(List<ArcServer.Took> singles, List<ArcServer.Took> bunches, List<ArcServer.Took> wide) {
        Results() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    @Override
    public String name() {
        return "arc-peer";
    }

    @Override
    public String what() {
        return "Debian's A-REX and this CE in turn, by the same clients over ARC REST: N jobs one in a request on "
                + ArcServer.CONNECTIONS + " kept connections, N and 8 N jobs " + BUNCH + " in a request on one and on "
                + ArcServer.CONNECTIONS
                + " connections, while neither starts jobs; new delegations; requests with a token"
                + " known to the CE. Then " + BUNCH + " jobs in one request, until the last has finished, on one Slurm"
                + " for both and for as many jobs by sbatch alone, where Slurm can be had. The size asked for is N = 800.";
    }

    @Override
    public String holds() {
        return "by the medians of " + ROUNDS + " rounds each, this CE takes jobs singly at " + (int) SINGLES
                + " times the rate of A-REX, by " + BUNCH + " at " + (int) BUNCHES + " times, and finishes them at "
                + (int) FINISHED
                + " times; a new delegation takes at most 2 ms CPU without the key, which is made ahead; a"
                + " known token is verified within 0.2 ms CPU; no job is lost.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public Set<LoadProtocol> protocols() {
        return EnumSet.of(LoadProtocol.ARCREST);
    }

    @Override
    public int usualJobs() {
        return 800;
    }

    @Override
    public int fewestJobs() {
        return BUNCH;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        Optional<String> missing = ArexSite.missing();
        if (missing.isPresent()) {
            throw new NotPossibleException(missing.get());
        }
        protocol.note(
                "A-REX has one job on its way at a time while jobs are taken, so that the others wait, and the simulated batch system of"
                        + " the CE takes none: what is compared is the acceptance alone.");
        protocol.note(
                "Rounds follow each other as A-REX, CE, CE, A-REX, A-REX, CE, to the end on Slurm each of the CE's"
                        + " with one by sbatch alone; before them one of A-REX and "
                        + WARM_UP + " of the CE are not counted. Clients share the machine with both.");
        SitePlan usual = SitePlan.of(plan.batch());
        SitePlan site = new SitePlan(
                        usual.batch(), usual.slots(), usual.stub(), Map.of("gelato.delegation.key-pool", KEYS))
                .withTokens();
        try (Stage stage = Stage.open(site, Stage.SUBMITTERS, Stage.SUBMITTERS, protocol)) {
            taking(stage, plan.jobs(), protocol);
            stage.mark("tokens");
            tokens(stage, protocol);
            stage.mark("batch system opens");
            stage.site().control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, true));
            stage.awaitEnds();
            Lives.await("all commands", stage.counts()::openCommands);
            stage.endings();
            stage.finish();
        }
        onSlurm(protocol);
    }

    /** An A-REX on the site's files, for the site's users. */
    private static ArexSite arex(PerfSite site, ArexBatch batch) {
        return new ArexSite(site.base().resolve("arex"), FreePort.choose(), site.pki(), site.account(), batch);
    }

    private static double cpu(ArexSite arex) {
        return arex.pids().stream()
                .flatMap(pid -> ProcessReading.of(pid).stream())
                .mapToLong(r -> r.cpuMillis() + r.childrenCpuMillis())
                .sum();
    }

    private static ArcServer client(ArexSite arex, PerfSite site, GridCredential user) {
        return new ArcServer(arex.port(), site.pki(), user, PerfSite.QUEUE, () -> cpu(arex));
    }

    private static <T> void inTurn(T theirs, T ours, Consumer<T> work) {
        for (int round = 0; round < ROUNDS; round++) {
            work.accept(round % 2 == 0 ? theirs : ours);
            work.accept(round % 2 == 0 ? ours : theirs);
        }
    }

    private static void taking(Stage stage, int jobs, RunRecord protocol) {
        PerfSite site = stage.site();
        GridPki pki = site.pki();
        GridCredential user = pki.proxy(pki.user("Peer")).make();
        site.control(new StubControl.Behaviour(SitePlan.SLOTS, Duration.ZERO, false));
        try (ArexSite arex = arex(site, ArexBatch.fork()).atOnce(1).start();
                ArcServer theirs = client(arex, site, user);
                ArcServer ours = new ArcServer(
                        site.door().port(),
                        pki,
                        user,
                        PerfSite.QUEUE,
                        () -> stage.sampler().now().cpuMillis())) {
            Results of = new Results();
            Results from = new Results();
            Map<ArcServer, Results> all = Map.of(theirs, from, ours, of);
            stage.mark("warm-up");
            taken(theirs, stage.crew(), jobs);
            for (int i = 0; i < WARM_UP; i++) {
                taken(ours, stage.crew(), jobs);
            }
            stage.mark("one in a request");
            Counters before = Counters.of(site);
            inTurn(theirs, ours, s -> all.get(s).singles().add(s.singles(stage.crew(), jobs)));
            sql(protocol, "single", before, site, of.singles());
            stage.mark(BUNCH + " in a request");
            Counters beforeBunches = Counters.of(site);
            inTurn(theirs, ours, s -> all.get(s).bunches().add(s.bunches(stage.crew(), 1, jobs / BUNCH, BUNCH)));
            sql(protocol, "by_100", beforeBunches, site, of.bunches());
            stage.mark(BUNCH + " in a request, " + ArcServer.CONNECTIONS + " connections");
            inTurn(
                    theirs,
                    ours,
                    s -> all.get(s).wide().add(s.bunches(stage.crew(), ArcServer.CONNECTIONS, jobs / BUNCH, BUNCH)));
            ratio(protocol, "single", from.singles(), of.singles(), SINGLES);
            ratio(protocol, "by_100", from.bunches(), of.bunches(), BUNCHES);
            ratio(protocol, "by_100_on_8", from.wide(), of.wide(), 0);
            stage.mark("delegations");
            delegations(stage, theirs, ours, protocol);
        }
    }

    private static void taken(ArcServer server, Crew crew, int jobs) {
        server.singles(crew, jobs);
        server.bunches(crew, 1, jobs / BUNCH, BUNCH);
    }

    private static void sql(
            RunRecord protocol, String name, Counters before, PerfSite site, List<ArcServer.Took> rounds) {
        double jobs = rounds.stream().mapToInt(ArcServer.Took::number).sum();
        protocol.count(name + ".sql_per_job", Counters.of(site).since(before).sql() / jobs);
    }

    /** @param bound 0 for a ratio that is reported and not judged */
    private static void ratio(
            RunRecord protocol, String name, List<ArcServer.Took> theirs, List<ArcServer.Took> ours, double bound) {
        double their = median(theirs, ArcServer.Took::perSecond);
        double our = median(ours, ArcServer.Took::perSecond);
        protocol.count(name + ".arex_per_second", their);
        protocol.count(name + ".ce_per_second", our);
        protocol.count(name + ".arex_cpu_ms_per_job", median(theirs, ArcServer.Took::cpuMillisEach));
        protocol.count(name + ".ce_cpu_ms_per_job", median(ours, ArcServer.Took::cpuMillisEach));
        if (bound > 0) {
            protocol.check(Check.atLeast(name + ".ce_to_arex", Rates.ratio(our, their), bound));
        } else {
            protocol.count(name + ".ce_to_arex", Rates.ratio(our, their));
        }
    }

    private static double median(List<ArcServer.Took> rounds, Function<ArcServer.Took, Double> value) {
        return Rates.median(rounds.stream().map(value).toList());
    }

    /** Each round by a user of its own, as only so many requests of one may wait for their proxies. */
    private static void delegations(Stage stage, ArcServer theirs, ArcServer ours, RunRecord protocol) {
        GridPki pki = stage.site().pki();
        long pid = stage.site().cePid();
        List<Double> withoutKey = new ArrayList<>();
        List<Double> keys = new ArrayList<>();
        List<Double> arex = new ArrayList<>();
        for (int round = -WARM_UP * ROUNDS; round < ROUNDS; round++) {
            GridCredential user = pki.proxy(pki.user("Delegator " + round)).make();
            awaitKeys(pid);
            double key = ThreadCpu.millis(pid, KEY_THREAD);
            ArcServer.Took took = ours.delegations(user, DELEGATIONS);
            key = ThreadCpu.millis(pid, KEY_THREAD) - key;
            // Those before are to warm up.
            if (round >= 0) {
                withoutKey.add((took.cpuMillis() - key) / DELEGATIONS);
                awaitKeys(pid);
                keys.add(ThreadCpu.millis(pid, KEY_THREAD));
                arex.add(theirs.delegations(user, DELEGATIONS / 8).cpuMillisEach());
            }
        }
        protocol.count("delegation.arex_cpu_ms", Rates.median(arex));
        protocol.count(
                "delegation.key_cpu_ms", (keys.get(keys.size() - 1) - keys.get(0)) / ((ROUNDS - 1) * DELEGATIONS));
        protocol.check(Check.atMost("delegation.cpu_ms", Rates.median(withoutKey), DELEGATION_CPU));
    }

    /** Until the pool is full: its thread uses no processor any more. */
    private static void awaitKeys(long pid) {
        double[] last = {-1};
        LongSupplier busy = () -> {
            double now = ThreadCpu.millis(pid, KEY_THREAD);
            boolean rests = now == last[0];
            last[0] = now;
            return rests ? 0 : 1;
        };
        Lives.await("keys made ahead", busy);
    }

    private static void tokens(Stage stage, RunRecord protocol) {
        PerfSite site = stage.site();
        GridPki pki = site.pki();
        GridCredential user = pki.proxy(pki.user("Peer")).make();
        try (ArcClient byToken = new ArcClient(site.door().port(), pki, null, site.token("peer"));
                ArcClient byProxy = new ArcClient(site.door().port(), pki, user, null)) {
            for (ArcClient client : List.of(byProxy, byToken, byProxy, byToken)) {
                requests(client);
            }
            protocol.count(
                    "request_cpu_ms.with_proxy",
                    Spent.on(stage, () -> requests(byProxy)).cpuMillis() / TOKEN_CALLS);
            protocol.count(
                    "request_cpu_ms.with_token",
                    Spent.on(stage, () -> requests(byToken)).cpuMillis() / TOKEN_CALLS);
        }
        protocol.check(Check.atMost("known_token.cpu_ms", KnownToken.cpuMillis(site), TOKEN_CPU));
    }

    private static void requests(ArcClient client) {
        for (int i = 0; i < TOKEN_CALLS; i++) {
            client.connect();
        }
    }

    private static void onSlurm(RunRecord protocol) {
        SitePlan usual = SitePlan.of(BatchKind.SLURM);
        try (PerfSite site = PerfSite.start(usual)) {
            finished(site, protocol);
        } catch (NotPossibleException e) {
            protocol.note("Jobs to their end on Slurm: skipped, " + e.getMessage() + ".");
        }
    }

    private static void finished(PerfSite site, RunRecord protocol) {
        GridPki pki = site.pki();
        GridCredential user = pki.proxy(pki.user("Peer")).make();
        ArexBatch batch = ArexBatch.slurm(
                new SlurmTestSite(site.base().resolve("slurm")).conf(),
                site.base().resolve("arex-commands"));
        try (ArexSite arex = arex(site, batch).start();
                ArcServer theirs = client(arex, site, user);
                ArcServer ours = new ArcServer(site.door().port(), pki, user, PerfSite.QUEUE, () -> 0)) {
            List<Double> their = new ArrayList<>();
            List<Double> our = new ArrayList<>();
            List<Double> plain = new ArrayList<>();
            LongSupplier done = () -> site.store().inState(JobState.DONE_OK);
            for (int i = 0; i < WARM_UP; i++) {
                perSecond(() -> ours.submit(BUNCH), done);
            }
            perSecond(() -> plain(site), site.plain()::ended);
            inTurn(theirs, ours, server -> {
                if (server == ours) {
                    our.add(perSecond(() -> ours.submit(BUNCH), done));
                    plain.add(perSecond(() -> plain(site), site.plain()::ended));
                } else {
                    their.add(perSecond(() -> theirs.submit(BUNCH), arex::finished));
                }
            });
            protocol.count("finished.arex_per_second", Rates.median(their));
            protocol.count("finished.ce_per_second", Rates.median(our));
            protocol.count("finished.sbatch_per_second", Rates.median(plain));
            protocol.check(Check.atLeast(
                    "finished.ce_to_arex", Rates.ratio(Rates.median(our), Rates.median(their)), FINISHED));
        }
    }

    /** The batch system's own command for jobs of one line, which do nothing: no CE can be faster by that command. */
    private static void plain(PerfSite site) {
        site.plain().submit(BUNCH / ArcServer.CONNECTIONS, ArcServer.CONNECTIONS);
        site.plain().submit(BUNCH % ArcServer.CONNECTIONS, 1);
    }

    /** From the request to the end of the last job as the server has it stored: clients of A-REX see it up to a minute later. */
    private static double perSecond(Runnable submit, LongSupplier finished) {
        long before = finished.getAsLong();
        long begin = System.nanoTime();
        submit.run();
        Lives.await("the end of " + BUNCH + " jobs", () -> BUNCH - (finished.getAsLong() - before));
        return Rates.perSecond(BUNCH, System.nanoTime() - begin);
    }
}
