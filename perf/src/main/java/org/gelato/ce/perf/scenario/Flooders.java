package org.gelato.ce.perf.scenario;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.FloodProcess;
import org.gelato.ce.perf.measure.Latencies;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;

/** One user who floods the CE in each way there is, beside users who make a call now and then. */
final class Flooders implements Scenario {
    private static final int CONNECTIONS = 10;
    private static final int OTHERS = 20;
    private static final int PAUSE_MILLIS = 200;
    private static final int TURNS = 2;
    private static final int TOGETHER = 10;
    /** Bytes of a long description. */
    private static final int LARGE = 900_000;

    private static final double SLOWER = 2;
    private static final String JOB = "&(executable=\"/bin/true\")(queue=\"" + PerfSite.QUEUE + "\")";

    /** What a flooder sends, over and over on each of its connections. */
    private enum Flood {
        REGISTRATIONS,
        LARGE_REGISTRATIONS,
        STATES,
        LISTS,
        FOLLOWERS,
        CANCELS,
        PURGES;

        FloodProcess.Request request() {
            return switch (this) {
                case REGISTRATIONS -> FloodProcess.Request.registration("+" + ("(" + JOB + ")").repeat(TOGETHER));
                case LARGE_REGISTRATIONS ->
                    FloodProcess.Request.registration(JOB + "(arguments=\"" + FloodProcess.Request.X + "\")");
                case STATES -> FloodProcess.Request.onAll("status");
                case LISTS -> FloodProcess.Request.list();
                case FOLLOWERS -> FloodProcess.Request.get("/events?from=0");
                case CANCELS -> FloodProcess.Request.onAll("kill");
                case PURGES -> FloodProcess.Request.onAll("clean");
            };
        }

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    @Override
    public String name() {
        return "flooders";
    }

    @Override
    public String what() {
        return OTHERS + " users register a job, read its state, cancel it and purge it, with a pause of " + PAUSE_MILLIS
                + " ms after each call, N times each; twice in turns beside nobody and beside one user who floods the CE over "
                + CONNECTIONS
                + " connections by registrations of " + TOGETHER + ", by registrations of " + LARGE
                + " bytes, by requests"
                + " for the states of all jobs, lists, events, cancels and purges of all.";
    }

    @Override
    public String holds() {
        return "no call of the others fails; their median and 95th percentile beside each flooder are at most " + SLOWER
                + " times those beside nobody in turns with him.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 10;
    }

    @Override
    public int fewestJobs() {
        return 1;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        protocol.note(
                "The flooder is a process of low priority, and reads responses only to their ends. The CE, its database and the"
                        + " others share the processors.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), OTHERS, OTHERS, protocol)) {
            GridPki pki = stage.site().pki();
            GridCredential flooder = pki.proxy(pki.user("Flooder")).make();
            others(stage, plan.jobs(), new Latencies());
            for (Flood flood : Flood.values()) {
                // In turns, so that what else this machine does, and what earlier floods left to be done, is beside
                // both.
                Latencies alone = protocol.latencies("nobody, in turns with " + flood.label());
                Latencies with = protocol.latencies(flood.label());
                FloodProcess.Result sent = new FloodProcess.Result(0, 0);
                for (int turn = 0; turn < TURNS; turn++) {
                    stage.mark("nobody, in turns with " + flood.label());
                    others(stage, plan.jobs(), alone);
                    stage.mark(flood.label());
                    sent = sent.plus(beside(stage, flood, flooder, plan.jobs(), with));
                }
                protocol.count("calls_of." + flood.label(), sent.calls());
                protocol.count("refused_of." + flood.label(), sent.refused());
                for (int percent : List.of(50, 95)) {
                    protocol.check(Check.atMost(
                            "others_p" + percent + "_beside_" + flood.label().replace(' ', '_'),
                            Rates.ratio(with.millis(percent), alone.millis(percent)),
                            SLOWER));
                }
            }
            stage.finish();
        }
    }

    private static void others(Stage stage, int rounds, Latencies latencies) {
        stage.crew().each(stage.clients(), client -> IntStream.range(0, rounds).forEach(i -> round(client, latencies)));
    }

    private static FloodProcess.Result beside(
            Stage stage, Flood flood, GridCredential flooder, int rounds, Latencies latencies) {
        try (FloodProcess process = FloodProcess.start(stage.site(), flooder, CONNECTIONS, flood.request(), LARGE)) {
            others(stage, rounds, latencies);
            return process.stop();
        }
    }

    private static void round(Client client, Latencies latencies) {
        List<String> ids = call(latencies, () -> client.register(1));
        call(latencies, () -> client.notEnded(ids));
        call(latencies, () -> {
            Client.accept(client.ce().cancel(JobSelector.of(ids)));
            return null;
        });
        call(latencies, () -> {
            client.purge(ids);
            return null;
        });
    }

    private static <T> T call(Latencies latencies, Supplier<T> call) {
        T result = latencies.time(call);
        Crew.rest(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        return result;
    }
}
