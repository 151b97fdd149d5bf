package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubSettings;

/** More clients than the CE lets in: criteria D.ii and O. */
final class Peak implements Scenario {
    private static final int CLIENTS = 200;
    private static final int USERS = 20;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(15);
    private static final int SMALL = 200;
    private static final Duration BACK_OFF = Duration.ofSeconds(1);
    private static final Duration JOB = Duration.ofSeconds(5);
    private static final double FAST_MILLIS = 100;
    private static final String DISABLED = "JobSubmissionDisabled";

    @Override
    public String name() {
        return "peak";
    }

    @Override
    public String what() {
        return "200 clients of 20 users submit at once for 60 s, one job after another; who is refused comes back after 1 s. The same"
                + " comes before and is not counted, for a CE is seldom met in its first minute."
                + " The CE is configured for N active jobs (gelato.admission.active-jobs), and N / 10 slots run jobs of 5 s:"
                + " the demand is more than can be taken. Below N = " + SMALL + " it lasts 15 s with N clients.";
    }

    @Override
    public String holds() {
        return "there are refusals, they name the limit, and the 95th percentile of their time is at most 100 ms; every"
                + " accepted job ends well; nothing else fails; afterwards a job is accepted without a restart.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 500;
    }

    @Override
    public int fewestJobs() {
        return 10;
    }

    /** What the clients count together. */
    private static final class Run {
        final LongAdder accepted = new LongAdder();
        final LongAdder refused = new LongAdder();
        final LongAdder unexplained = new LongAdder();
        final LongAdder failed = new LongAdder();
        volatile String failure = "";
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int slots = Math.max(1, plan.jobs() / 10);
        boolean isSmall = plan.jobs() < SMALL;
        SitePlan site = new SitePlan(
                plan.batch(),
                slots,
                new StubSettings(slots, Duration.ZERO, JOB),
                Map.of("gelato.admission.active-jobs", plan.jobs()));
        int clients = isSmall ? plan.jobs() : CLIENTS;
        protocol.note(
                "The clients share the machine with the CE. A start call that comes after a register is never refused"
                        + " by admission; what is refused is the register.");
        try (Stage stage = Stage.open(site, clients, Math.min(USERS, clients), protocol)) {
            long stored = stage.site().store().jobs();
            long length = (isSmall ? SHORT : LONG).toNanos();
            Run first = new Run();
            stage.mark("first peak");
            crowd(stage, length, first, "first ", protocol);
            stage.awaitEnds();
            Run run = new Run();
            SiteSample before = stage.sampler().now();
            stage.mark("peak");
            crowd(stage, length, run, "", protocol);
            stage.mark("recovery");
            stage.awaitEnds();
            SiteSample after = stage.sampler().now();
            protocol.count("first.accepted", first.accepted.sum());
            protocol.count("first.refused", first.refused.sum());
            run.unexplained.add(first.unexplained.sum());
            run.failed.add(first.failed.sum());
            protocol.count("clients", clients);
            protocol.count("accepted", run.accepted.sum());
            protocol.count("refused", run.refused.sum());
            protocol.count("failed_calls", run.failed.sum());
            protocol.count(
                    "cpu_ms_per_accepted_job",
                    (double) (after.cpuMillis() - before.cpuMillis()) / Math.max(1, run.accepted.sum()));
            if (!run.failure.isEmpty()) {
                protocol.note("One of the failed calls: " + run.failure);
            }
            protocol.check(Check.atLeast("refusals", (double) run.refused.sum(), 1));
            protocol.check(Check.none("refusals_that_do_not_say_why", run.unexplained.sum()));
            protocol.check(
                    Check.atMost("refusal_p95_ms", protocol.latencies("refusal").millis(95), FAST_MILLIS));
            protocol.check(Check.none("calls_failed_otherwise", run.failed.sum()));
            protocol.check(Check.none(
                    "accepted_jobs_lost",
                    first.accepted.sum() + run.accepted.sum() - (after.in(JobState.DONE_OK) - stored)));
            recovered(stage, protocol);
            stage.endings();
            stage.finish();
        }
    }

    private static void recovered(Stage stage, RunRecord protocol) {
        long tries = 0;
        boolean isIn = false;
        // Admission looks at the number of jobs every some seconds.
        while (!isIn && tries < LONG.toSeconds()) {
            tries++;
            try {
                stage.clients().get(0).submit(1);
                isIn = true;
            } catch (ServiceFault e) {
                Crew.rest(BACK_OFF.toNanos());
            }
        }
        stage.awaitEnds();
        protocol.count("recovery_tries", tries);
        protocol.check(Check.atLeast("accepted_after_the_peak", isIn ? 1 : 0, 1));
    }

    private static void crowd(Stage stage, long length, Run run, String prefix, RunRecord protocol) {
        long end = System.nanoTime() + length;
        stage.crew().each(stage.clients(), client -> client(client, end, run, prefix, protocol));
    }

    private static void client(Client client, long end, Run run, String prefix, RunRecord protocol) {
        while (System.nanoTime() < end) {
            long begin = System.nanoTime();
            try {
                List<String> ids = client.register(1);
                protocol.latencies(prefix + "register").add(System.nanoTime() - begin);
                protocol.latencies(prefix + "start")
                        .timed(() -> Client.accept(client.ce().start(ids)));
                run.accepted.increment();
            } catch (ServiceFault e) {
                protocol.latencies(prefix + "refusal").add(System.nanoTime() - begin);
                run.refused.increment();
                if (!saysWhy(e)) {
                    run.unexplained.increment();
                    run.failure = e.getMessage();
                }
                Crew.rest(BACK_OFF.toNanos());
            } catch (CliException | IllegalStateException e) {
                run.failed.increment();
                run.failure = String.valueOf(e.getMessage());
                Crew.rest(TimeUnit.SECONDS.toNanos(1));
            }
        }
    }

    private static boolean saysWhy(ServiceFault refusal) {
        String message = refusal.fault().message().toLowerCase(Locale.ROOT);
        return refusal.fault().kind().startsWith(DISABLED)
                && message.contains("active")
                && message.matches("(?s).*[0-9].*");
    }
}
