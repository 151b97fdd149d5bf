package org.gelato.ce.testkit.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.testkit.site.FreePort;

/**
 * Three nodes of MariaDB Galera, of Debian's {@code mariadb-server} and {@code galera-4}, configured as docs/admin/scale.md says. A node that was
 * killed is missed after two seconds, not after the default's five.
 */
public final class GaleraCluster extends DatabaseCluster {
    private static final int NODES = 3;
    private static final List<Path> PROVIDERS =
            List.of(Path.of("/usr/lib/galera/libgalera_smm.so"), Path.of("/usr/lib64/galera-4/libgalera_smm.so"));
    private static final Path RSYNC = Path.of("/usr/bin/rsync");
    private static final Pattern RECOVERED = Pattern.compile("WSREP: Recovered position:? *([0-9a-f-]{36}:-?[0-9]+)");
    private static final String SYNCED = "SELECT variable_value FROM information_schema.global_status"
            + " WHERE variable_name = 'wsrep_local_state_comment'";

    private GaleraCluster(List<MariaDbServer> servers) {
        super(servers);
    }

    private static Path provider() {
        return PROVIDERS.stream().filter(Files::exists).findFirst().orElse(PROVIDERS.get(0));
    }

    /** What the packages of this machine lack; empty when there can be a cluster here. */
    public static Optional<String> missing() {
        return MariaDbServer.missing(provider(), RSYNC);
    }

    /**
     * Starts all nodes.
     *
     * @param folder absolute, short and empty; removed by the caller
     * @throws IllegalStateException with the end of a node's log, when it does not come up
     */
    public static GaleraCluster start(Path folder) {
        List<Integer> ports =
                IntStream.range(0, NODES).mapToObj(i -> FreePort.choose()).toList();
        List<MariaDbServer> servers = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            servers.add(new MariaDbServer(folder.resolve("n" + i), options(i, ports)));
        }
        GaleraCluster cluster = new GaleraCluster(servers);
        try {
            servers.get(0).install();
            servers.get(0).start("--wsrep-new-cluster", incoming(servers.get(0)));
            cluster.await(0, SYNCED, "Synced");
            cluster.makeSchema(servers.get(0));
            for (int i = 1; i < NODES; i++) {
                servers.get(i).prepare();
                servers.get(i).start(incoming(servers.get(i)));
                cluster.await(i, SYNCED, "Synced");
            }
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private static String incoming(MariaDbServer server) {
        return "--wsrep-node-incoming-address=127.0.0.1:" + server.port();
    }

    private static List<String> options(int node, List<Integer> ports) {
        String members = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        String provider = String.join(
                ";",
                "gmcast.listen_addr=tcp://127.0.0.1:" + ports.get(node),
                "ist.recv_addr=127.0.0.1:" + FreePort.choose(),
                "evs.keepalive_period=PT0.5S",
                "evs.inactive_check_period=PT0.5S",
                "evs.suspect_timeout=PT2S",
                "evs.inactive_timeout=PT4S",
                "gcache.size=64M");
        return List.of(
                "--wsrep-on=ON",
                "--wsrep-provider=" + provider(),
                "--wsrep-cluster-name=gelato",
                "--wsrep-cluster-address=gcomm://" + members,
                "--wsrep-node-name=n" + node,
                "--wsrep-node-address=127.0.0.1:" + ports.get(node),
                "--wsrep-sst-method=rsync",
                "--wsrep-sst-receive-address=127.0.0.1:" + FreePort.choose(),
                "--wsrep-provider-options=" + provider,
                "--wsrep-auto-increment-control=OFF",
                "--innodb-autoinc-lock-mode=2",
                "--binlog-format=ROW",
                "--default-storage-engine=InnoDB");
    }

    /** Whether a node is a full member. */
    public boolean isSynced(int node) {
        return sql(node, SYNCED).equals("Synced");
    }

    @Override
    public void restart(int node) {
        MariaDbServer server = server(node);
        // What it missed is sent to it, where it says up to where it has all; otherwise everything is.
        String position = Stream.of(server.runOnce("--wsrep-recover"))
                .map(RECOVERED::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("node " + node + " does not say where it is"));
        server.start("--wsrep-start-position=" + position, incoming(server));
        await(node, SYNCED, "Synced");
    }
}
