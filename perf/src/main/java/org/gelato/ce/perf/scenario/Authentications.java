package org.gelato.ce.perf.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.testkit.pki.GridPki;

/**
 * What the CE spends on authenticating a caller: a trivial operation over a new TLS connection without a session of
 * earlier, less the same operation over a kept one.
 */
final class Authentications {
    private static final int FEWEST = 40;
    private static final int MAX = 400;

    private Authentications() {}

    /**
     * Measures it on a CE that has nothing else to do.
     *
     * @param size of the scenario: a tenth of it is tried
     */
    static void measure(Stage stage, int size, RunRecord protocol) {
        int number = ScenarioPlan.part(size, 10, FEWEST, MAX);
        PerfSite site = stage.site();
        GridPki pki = site.pki();
        List<Path> proxies = IntStream.range(0, number + 1)
                .mapToObj(i ->
                        pki.proxy(pki.user("Submitter 0")).write(site.base().resolve("authentication-" + i + ".pem")))
                .toList();
        // Made before: a client's own cost is not measured, but would disturb.
        List<ComputingElement> fresh = clients(number, i -> Client.connectAnew(site, proxies.get(i)));
        List<ComputingElement> known = clients(number, i -> Client.connectAnew(site, proxies.get(number)));
        ComputingElement kept = stage.clients().get(0).ce();
        kept.serviceInfo();
        Spent calls =
                Spent.on(stage, () -> fresh.forEach(c -> kept.serviceInfo())).per(number);
        Spent first = all(stage, fresh, protocol, "service_info, new proxy and connection");
        Client.connectAnew(site, proxies.get(number)).serviceInfo();
        Spent again = all(stage, known, protocol, "service_info, known proxy and new connection");
        protocol.count("authentications", 2 * number);
        protocol.count("cpu_ms_per_call_on_a_kept_connection", calls.cpuMillis());
        protocol.count("cpu_ms_per_authentication.new_proxy", first.cpuMillis() - calls.cpuMillis());
        protocol.count("cpu_ms_per_authentication.known_proxy", again.cpuMillis() - calls.cpuMillis());
        protocol.count("sql_per_authentication.new_proxy", first.sql() - calls.sql());
        protocol.count("sql_per_authentication.known_proxy", again.sql() - calls.sql());
    }

    private static List<ComputingElement> clients(int number, IntFunction<ComputingElement> make) {
        return IntStream.range(0, number).mapToObj(make).toList();
    }

    private static Spent all(Stage stage, List<ComputingElement> clients, RunRecord protocol, String name) {
        return Spent.on(
                        stage,
                        () -> clients.forEach(c -> protocol.latencies(name).time(c::serviceInfo)))
                .per(clients.size());
    }
}
