package org.gelato.ce.perf.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
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
    private static final int TOGETHER = 10;
    /** Bytes of a long description. */
    private static final int LARGE = 900_000;

    private static final double SLOWER = 2;
    private static final EventSelector ALL_EVENTS = new EventSelector(0, null, null, null, List.of(), 1000);

    /** What a flooder does, over and over on each of its connections. Refusals are what it may get. */
    private enum Flood {
        NOBODY {
            @Override
            void make(PerfSite site, Client flooder) {
                Crew.rest(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            }
        },
        REGISTRATIONS {
            @Override
            void make(PerfSite site, Client flooder) {
                flooder.register(TOGETHER);
            }
        },
        LARGE_REGISTRATIONS {
            @Override
            void make(PerfSite site, Client flooder) {
                flooder.registerWith(site, "Arguments = \"" + "x".repeat(LARGE) + "\";");
            }
        },
        STATES {
            @Override
            void make(PerfSite site, Client flooder) {
                flooder.ce().status(JobSelector.ALL);
            }
        },
        LISTS {
            @Override
            void make(PerfSite site, Client flooder) {
                flooder.ce().list();
            }
        },
        FOLLOWERS {
            @Override
            void make(PerfSite site, Client flooder) {
                flooder.ce().events(ALL_EVENTS);
            }
        },
        CANCELS {
            @Override
            void make(PerfSite site, Client flooder) {
                flooder.ce().cancel(JobSelector.ALL);
            }
        },
        PURGES {
            @Override
            void make(PerfSite site, Client flooder) {
                flooder.ce().purge(JobSelector.ALL);
            }
        };

        abstract void make(PerfSite site, Client flooder);

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
                + " ms after each call, N times each; beside nobody, beside one user who floods the CE over "
                + CONNECTIONS
                + " connections by registrations of " + TOGETHER + ", by registrations of " + LARGE
                + " bytes, by requests"
                + " for the states of all jobs, lists, events, cancels and purges of all, and beside nobody again.";
    }

    @Override
    public String holds() {
        return "no call of the others fails; their median and 95th percentile beside each flooder are at most " + SLOWER
                + " times those beside nobody.";
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
        protocol.note("The flooder's clients take the same processors as the CE.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), OTHERS, OTHERS, protocol)) {
            List<Client> flooder = flooder(stage);
            Latencies alone = protocol.latencies(Flood.NOBODY.label());
            for (Flood flood : Flood.values()) {
                beside(stage, flood, flooder, plan.jobs(), protocol);
            }
            beside(stage, Flood.NOBODY, flooder, plan.jobs(), protocol);
            for (Flood flood : Flood.values()) {
                Latencies with = protocol.latencies(flood.label());
                for (int percent : List.of(50, 95)) {
                    double ratio = Rates.ratio(with.millis(percent), alone.millis(percent));
                    String name =
                            "others_p" + percent + "_beside_" + flood.label().replace(' ', '_');
                    protocol.check(Check.atMost(name, ratio, SLOWER));
                }
            }
            stage.finish();
        }
    }

    private static List<Client> flooder(Stage stage) {
        GridPki pki = stage.site().pki();
        GridCredential proxy = pki.proxy(pki.user("Flooder")).make();
        Client first = Client.of(stage.site(), proxy, "flooder");
        List<Client> all = new ArrayList<>(List.of(first));
        Path file = proxy.write(stage.site().base().resolve("proxy-of-flooder.pem"));
        IntStream.range(1, CONNECTIONS).forEach(i -> all.add(first.on(Client.connectAnew(stage.site(), file))));
        return all;
    }

    private static void beside(Stage stage, Flood flood, List<Client> flooder, int rounds, RunRecord protocol) {
        stage.mark(flood.label());
        AtomicLong calls = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        List<Crew.Running> floods = flooder.stream()
                .map(client -> stage.crew().repeat(0, () -> {
                    calls.incrementAndGet();
                    try {
                        flood.make(stage.site(), client);
                    } catch (CliException | IllegalStateException e) {
                        refused.incrementAndGet();
                    }
                }))
                .toList();
        Latencies latencies = protocol.latencies(flood.label());
        stage.crew().each(stage.clients(), client -> IntStream.range(0, rounds).forEach(i -> round(client, latencies)));
        floods.forEach(Crew.Running::stop);
        protocol.count("calls_of." + flood.label(), calls.get());
        protocol.count("failed_of." + flood.label(), refused.get());
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
