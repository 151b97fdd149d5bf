package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;

/** From the client's call to the batch system, beside the batch system's own command in the same run. */
final class EndToEnd implements Scenario {
    private static final int ROUNDS = 3;
    /** Rounds of the CE before the first that is counted, for a JVM that has seen few jobs compiles. */
    private static final int WARM_UP = 5;

    /** The first of these, of which the cost is reported. */
    private static final int YOUNG = 2;

    private static final int CALLERS = 16;
    private static final int BUNCH = 100;
    private static final double TO_SBATCH = 1;
    private static final double TO_QSUB = 0.8;
    private static final double TO_CONDOR_SUBMIT = 5;
    /** One for twenty jobs. */
    private static final double STARTS_OF_CONDOR_SUBMIT = 0.05;

    /** Jobs of one round, and how long until the batch system had all of them. */
    private record Round(int jobs, Duration took) {
        double perSecond() {
            return Rates.perSecond(jobs, took.toNanos());
        }
    }

    @Override
    public String name() {
        return "end-to-end";
    }

    @Override
    public String what() {
        return "5 users register and start N jobs, at most 100 per call, until the batch system has taken all of them; in"
                + " turn " + CALLERS
                + " shells submit as many by sbatch, qsub or condor_submit alone. A CE with Slurm or Torque hands over at"
                + " most " + CALLERS + " at once, one with HTCondor as many as by default. No job begins meanwhile.";
    }

    @Override
    public String holds() {
        return "by the medians of " + ROUNDS
                + " rounds the CE reaches at least the rate of bare sbatch, and starts none;"
                + " or 80 % of the rate of bare qsub, and starts one a job;"
                + " or five times the rate of bare condor_submit, and starts one for 20 jobs.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.SLURM, BatchKind.TORQUE, BatchKind.CONDOR);
    }

    @Override
    public int usualJobs() {
        return 500;
    }

    @Override
    public int fewestJobs() {
        return CALLERS;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        SitePlan standard = SitePlan.of(plan.batch());
        // what waits for HTCondor goes together, so there a limit is no fairness but more processes
        Map<String, Object> settings =
                plan.batch() == BatchKind.CONDOR ? Map.of() : Map.of("gelato.lrms.hand-over.most-at-once", CALLERS);
        SitePlan site = new SitePlan(plan.batch(), standard.slots(), standard.stub(), settings);
        protocol.note(
                "Bare jobs have a script of one line and no files; the CE's have their wrapper and a sandbox. Both go"
                        + " through scripts that count starts. The clients of the CE share the machine with it.");
        protocol.note("Rounds follow each other as bare, CE, CE, bare; before them one bare round and " + WARM_UP
                + " of the CE are not in the medians; what the first " + YOUNG
                + " cost a CE that was just started stands by itself.");
        try (Stage stage = Stage.open(site, Stage.SUBMITTERS, Stage.SUBMITTERS, protocol)) {
            stage.site().hold();
            Series plain = new Series();
            Series ce = new Series();
            stage.mark("warm-up");
            plain(stage, plan.jobs());
            SiteSample started = stage.sampler().now();
            int young = 0;
            for (int round = 0; round < WARM_UP; round++) {
                young += byCe(stage, plan.jobs()).jobs();
                if (round < YOUNG) {
                    Stage.cost(
                            protocol,
                            "first_" + young + ".",
                            started,
                            stage.sampler().now(),
                            null,
                            young);
                }
            }
            SiteSample before = stage.sampler().now();
            Counters counted = Counters.of(stage.site());
            for (int round = 0; round < ROUNDS; round++) {
                stage.mark("round " + (round + 1));
                if (round % 2 == 0) {
                    plain.add(stage, () -> plain(stage, plan.jobs()));
                }
                ce.add(stage, () -> byCe(stage, plan.jobs()));
                if (round % 2 == 1) {
                    plain.add(stage, () -> plain(stage, plan.jobs()));
                }
            }
            Counters spent = Counters.of(stage.site()).since(counted);
            // Its clients' and the bare commands' processor time are not in it: other processes'.
            Stage.cost(protocol, "ce.", before, stage.sampler().now(), spent, ce.jobs);
            check(plan.batch(), plain, ce, spent, protocol);
            protocol.check(Check.none("commands_left", stage.counts().openCommands()));
            protocol.failures(stage.counts().failureReasons());
            stage.finish();
        }
    }

    /** Rounds of one kind. */
    private static final class Series {
        private final List<Double> rates = new ArrayList<>();
        private int jobs;
        private double batchMillis;

        void add(Stage stage, Supplier<Round> call) {
            double before = stage.sampler().now().batch().cpuMillis();
            Round round = call.get();
            batchMillis += stage.sampler().now().batch().cpuMillis() - before;
            jobs += round.jobs();
            rates.add(round.perSecond());
        }

        double batchMillisPerJob() {
            return batchMillis / jobs;
        }
    }

    private static void check(BatchKind batch, Series plain, Series ce, Counters spent, RunRecord protocol) {
        double toPlain = Rates.ratio(Rates.median(ce.rates), Rates.median(plain.rates));
        protocol.count("bare_per_second", Rates.median(plain.rates));
        protocol.count("ce_per_second", Rates.median(ce.rates));
        protocol.count("bare_daemon_cpu_ms_per_job", plain.batchMillisPerJob());
        protocol.count("ce_batch_cpu_ms_per_job", ce.batchMillisPerJob());
        Map<String, Long> starts = spent.programs();
        switch (batch) {
            case SLURM -> {
                protocol.check(Check.atLeast("ce_to_bare", toPlain, TO_SBATCH));
                protocol.check(Check.atMost("starts_per_job", (double) starts.get("sbatch") / ce.jobs, 0));
            }
            case CONDOR -> {
                protocol.check(Check.atLeast("ce_to_bare", toPlain, TO_CONDOR_SUBMIT));
                protocol.check(Check.atMost(
                        "starts_per_job", (double) starts.get("condor_submit") / ce.jobs, STARTS_OF_CONDOR_SUBMIT));
                // that of the CE's commands is in it, that of the bare ones is not
                protocol.check(Check.atMost(
                        "batch_cpu_to_bare_daemon", ce.batchMillisPerJob() / plain.batchMillisPerJob(), 1));
            }
            default -> {
                protocol.check(Check.atLeast("ce_to_bare", toPlain, TO_QSUB));
                protocol.check(Check.atMost("starts_per_job", (double) starts.get("qsub") / ce.jobs, 1));
            }
        }
    }

    private static Round plain(Stage stage, int jobs) {
        int share = jobs / CALLERS;
        return new Round(share * CALLERS, stage.site().plain().submit(share, CALLERS));
    }

    private static Round byCe(Stage stage, int jobs) {
        long before = stage.counts().lastJob();
        int share = jobs / Stage.SUBMITTERS;
        Instant begin = Instant.now();
        stage.crew().each(stage.clients(), client -> {
            for (int sent = 0; sent < share; sent += BUNCH) {
                client.submit(Math.min(BUNCH, share - sent));
            }
        });
        Lives.await("all hand-overs", () -> stage.counts().notHandedOver(before));
        return new Round(
                share * Stage.SUBMITTERS, Duration.between(begin, stage.counts().lastHandOver()));
    }
}
