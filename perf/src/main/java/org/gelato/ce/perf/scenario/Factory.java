package org.gelato.ce.perf.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.ArcClient;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.load.LoadProtocol;
import org.gelato.ce.perf.measure.Metrics;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.pilots.ArcFrontend;
import org.gelato.ce.perf.pilots.Cream2Frontend;
import org.gelato.ce.perf.pilots.Frontend;
import org.gelato.ce.perf.pilots.Pilots;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubSettings;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;

/** A pilot factory that keeps a CE full: each pilot that ends is replaced. */
public final class Factory implements Scenario {
    /** On the command line. */
    public static final String NAME = "factory";

    private static final double STARTS_PER_SECOND = 2.3;
    private static final int COMPRESSION = 10;
    private static final int PILOTS = 10_000;
    private static final double RATE = STARTS_PER_SECOND * COMPRESSION;
    /** An hour's starts for each pilot that is held. */
    private static final double STARTS_PER_PILOT = STARTS_PER_SECOND * 3600 / PILOTS;

    private static final double ENOUGH = 0.9;

    private static final int POLLS = 60;
    private static final int RENEWALS = 6;
    private static final int FRONTENDS = 4;
    private static final int SENDERS = 16;
    private static final long SHORTEST_MILLIS = 500;
    private static final Duration ROUND_TRIP = Duration.ofMillis(150);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String what() {
        return "N pilots of 4 frontends' users are held running, " + STARTS_PER_SECOND
                + " started each second for an hour as others end; states asked for in bulk each minute, ended ones purged, each"
                + " proxy renewed every 10 min; clients are 150 ms away."
                + " The factory's size is N = 10000. Time is compressed " + COMPRESSION
                + "-fold, and for other N by N / 10000 more: pilots live N / " + Math.round(RATE) + " s.";
    }

    @Override
    public String holds() {
        return "none lost or doubled: each pilot the CE registered is reported as DONE-OK, once, and ran once; 90 % of N"
                + " run throughout the hour (median); CPU per authentication is reported.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public Set<LoadProtocol> protocols() {
        return EnumSet.allOf(LoadProtocol.class);
    }

    @Override
    public int usualJobs() {
        return PILOTS;
    }

    @Override
    public int fewestJobs() {
        return 50;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int held = plan.jobs();
        long life = Math.round(held / RATE * 1000);
        long hour = Math.round(held * STARTS_PER_PILOT / RATE * 1000);
        StubSettings stub = new StubSettings(2 * held, Duration.ZERO, Duration.ofMillis(life));
        // No slots: pilots live too long to warm up with; the ramp to N is what warms.
        SitePlan site = new SitePlan(plan.batch(), 0, stub, Map.of()).at(ROUND_TRIP);
        try (Stage stage = Stage.open(site, SENDERS + 2 * FRONTENDS, FRONTENDS, protocol)) {
            protocol.note("Time compression " + COMPRESSION + " of " + PILOTS + " pilots, "
                    + Math.round((double) COMPRESSION * PILOTS / held) + " of these: " + Math.round(RATE)
                    + " starts a second, pilots of " + life + " ms, the hour in " + hour + " ms.");
            protocol.note(
                    "Clients are " + ROUND_TRIP.toMillis() + " ms away by a relay in the measuring process that gives"
                            + " on each byte half of it later: the same on every machine, where netem needs root and a kernel"
                            + " module.");
            protocol.note(
                    "Clients speak " + plan.protocol() + "; authentications are those of service-info over cream2.");
            protocol.count("round_trip_ms", ROUND_TRIP.toMillis());
            Pilots pilots = new Pilots(held, RATE, protocol::latencies);
            List<Frontend> frontends = frontends(stage, plan.protocol());
            SiteSample begin = stage.sampler().now();
            stage.mark("ramp to " + held);
            work(stage, frontends, pilots, held, life, hour, protocol);
            frontends.forEach(Frontend::close);
            SiteSample end = stage.sampler().now();
            Stage.cost(protocol, "whole.", begin, end, null, pilots.registered());
            endings(stage, pilots, protocol);
            stage.mark("authentications");
            Authentications.measure(stage, held, protocol);
            stage.finish();
        }
    }

    /** One for each client of the stage: each has a connection of its own, and shares its user's delegation. */
    private static List<Frontend> frontends(Stage stage, LoadProtocol protocol) {
        List<Client> clients = stage.clients();
        if (protocol == LoadProtocol.CREAM2) {
            return clients.stream().<Frontend>map(Cream2Frontend::new).toList();
        }
        PerfSite site = stage.site();
        GridPki pki = site.pki();
        List<GridCredential> proxies = IntStream.range(0, FRONTENDS)
                .mapToObj(i -> pki.proxy(pki.user("Submitter " + i)).make())
                .toList();
        List<String> delegations = new ArrayList<>();
        List<Frontend> frontends = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            int user = i % FRONTENDS;
            ArcClient client = new ArcClient(site.door().port(), pki, proxies.get(user), null);
            if (i < FRONTENDS) {
                delegations.add(client.delegate());
            }
            frontends.add(new ArcFrontend(client, PerfSite.QUEUE, delegations.get(user)));
        }
        return frontends;
    }

    private static void work(
            Stage stage, List<Frontend> clients, Pilots pilots, int held, long life, long hour, RunRecord protocol) {
        AtomicInteger renewed = new AtomicInteger();
        List<Crew.Running> background = IntStream.range(0, FRONTENDS)
                .boxed()
                .flatMap(f -> Stream.of(
                        stage.crew()
                                .repeat(
                                        Math.max(SHORTEST_MILLIS, hour / POLLS),
                                        () -> pilots.poll(clients.get(SENDERS + f))),
                        stage.crew().repeat(Math.max(SHORTEST_MILLIS, hour / RENEWALS), () -> {
                            clients.get(SENDERS + FRONTENDS + f).renew(protocol::latencies);
                            renewed.incrementAndGet();
                        })))
                .toList();
        List<Crew.Running> senders = clients.subList(0, SENDERS).stream()
                .map(c -> stage.crew().repeat(0, () -> pilots.send(c)))
                .toList();
        // From then on one ends for each that starts. Twice the time it should take, for the clients' way and the
        // machine; what was reached is checked.
        rest(life, background);
        rest(life, background, () -> stage.site().store().inState(JobState.REALLY_RUNNING) >= held * ENOUGH);
        long from = System.nanoTime();
        stage.mark("held");
        int before = pilots.registered();
        double heldFrom = stage.sampler().seconds();
        rest(hour, background);
        long to = System.nanoTime();
        int started = pilots.registered() - before;
        double heldTo = stage.sampler().now().seconds();
        pilots.close();
        senders.forEach(Crew.Running::stop);
        stage.mark("drain");
        Lives.await("the end of all pilots", () -> {
            background.forEach(Crew.Running::check);
            return pilots.out().size() - orphans(stage, pilots);
        });
        background.forEach(Crew.Running::stop);
        List<Long> running = stage.sampler().samples().stream()
                .filter(s -> s.seconds() >= heldFrom && s.seconds() <= heldTo)
                .map(SiteSample::running)
                .toList();
        protocol.count("pilots_held_wanted", held);
        protocol.count("pilots_running_median", Rates.median(running));
        protocol.count(
                "pilots_running_least", running.stream().mapToLong(l -> l).min().orElse(0));
        protocol.count("starts_per_second", Rates.perSecond(started, to - from));
        protocol.count("time_compression", (double) COMPRESSION * PILOTS / held);
        protocol.count("renewals", renewed.get());
        protocol.check(Check.atLeast("renewals", renewed.get(), FRONTENDS));
        protocol.check(Check.atLeast("pilots_running_median_to_wanted", Rates.median(running) / held, ENOUGH));
    }

    /** When the CE has no pilot left, those whose end it never reported are lost: not waited for. */
    private static long orphans(Stage stage, Pilots pilots) {
        return stage.site().store().jobs() == 0 ? pilots.out().size() : 0;
    }

    private static void rest(long millis, List<Crew.Running> background) {
        rest(millis, background, () -> false);
    }

    /** Until then, or until something is reached. */
    private static void rest(long millis, List<Crew.Running> background, BooleanSupplier reached) {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        while (System.nanoTime() - end < 0 && !reached.getAsBoolean()) {
            background.forEach(Crew.Running::check);
            Crew.rest(Math.max(
                    1, Math.min(end - System.nanoTime(), Duration.ofMillis(100).toNanos())));
        }
    }

    /** Ids that came twice, and what the CE registered or handed over beyond what the factory sent. */
    private static long doubled(Stage stage, Pilots pilots) {
        Metrics metrics = new Metrics(stage.site().page("/metrics"));
        long beyond = 0;
        for (String counter : List.of("ce_jobs_registered_total", "ce_jobs_handed_over_total")) {
            beyond += Math.abs(Math.round(metrics.of(counter)) - pilots.registered());
        }
        return pilots.repeatedIds() + beyond;
    }

    private static void endings(Stage stage, Pilots pilots, RunRecord protocol) {
        Lives.await("the purge of all pilots", stage.site().store()::jobs);
        Lives.await("all commands", stage.counts()::openCommands);
        protocol.count("pilots", pilots.registered());
        protocol.check(Check.none("pilots_lost", pilots.registered() - pilots.done() - pilots.unwell()));
        protocol.check(Check.none("pilots_doubled", doubled(stage, pilots)));
        protocol.check(Check.none("pilots_failed_or_cancelled", pilots.unwell()));
        protocol.check(Check.none("purges_refused", pilots.refusedPurges()));
        protocol.check(Check.none("commands_left", stage.counts().openCommands()));
    }
}
