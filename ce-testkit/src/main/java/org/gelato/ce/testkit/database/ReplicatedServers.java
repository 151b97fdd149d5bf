package org.gelato.ce.testkit.database;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A source and a replica of MariaDB with semi-synchronous replication, configured as docs/admin/scale.md says. Both start read-only; which of
 * them is the source is decided by {@link #promote}, as an operator's tool does.
 */
public final class ReplicatedServers extends DatabaseCluster {
    private static final String REPLICATION = "replication";
    /** Not in the configuration: a replica would wait for replicas of its own before it applies a change. */
    private static final String SERVE = "SET GLOBAL rpl_semi_sync_master_enabled = ON; SET GLOBAL read_only = OFF";

    private int source;

    private ReplicatedServers(List<MariaDbServer> servers) {
        super(servers);
    }

    /** What the packages of this machine lack; empty when there can be a pair here. */
    public static Optional<String> missing() {
        return MariaDbServer.missing();
    }

    /**
     * Starts both, the first one as the source.
     *
     * @param folder absolute, short and empty; removed by the caller
     * @throws IllegalStateException with the end of a server's log, when it does not come up
     */
    public static ReplicatedServers start(Path folder) {
        List<MariaDbServer> servers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            servers.add(new MariaDbServer(
                    folder.resolve("s" + i),
                    List.of(
                            "--server-id=" + (i + 1),
                            "--log-bin=binlog",
                            "--log-slave-updates=ON",
                            "--binlog-format=ROW",
                            "--sync-binlog=1",
                            "--innodb-flush-log-at-trx-commit=1",
                            "--gtid-strict-mode=ON",
                            "--relay-log=relay",
                            "--read-only=ON",
                            "--skip-slave-start",
                            "--rpl-semi-sync-master-wait-point=AFTER_SYNC",
                            "--rpl-semi-sync-master-timeout=86400000",
                            "--rpl-semi-sync-slave-enabled=ON")));
        }
        ReplicatedServers pair = new ReplicatedServers(servers);
        try {
            for (MariaDbServer server : servers) {
                server.install();
                server.start();
                // the same accounts on both, and nothing of it replicated
                server.sql("SET sql_log_bin = 0; CREATE USER '" + REPLICATION + "'@'127.0.0.1' IDENTIFIED BY '"
                        + PASSWORD + "'; GRANT REPLICATION SLAVE ON *.* TO '" + REPLICATION + "'@'127.0.0.1'");
            }
            pair.sql(0, SERVE);
            pair.follow(1, 0);
            pair.makeSchema(servers.get(0));
        } catch (RuntimeException e) {
            pair.close();
            throw e;
        }
        return pair;
    }

    /** Which server is the source. */
    public int source() {
        return source;
    }

    private void follow(int replica, int of) {
        sql(
                replica,
                "CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = " + port(of) + ", MASTER_USER = '"
                        + REPLICATION
                        + "', MASTER_PASSWORD = '" + PASSWORD
                        + "', MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1; START SLAVE");
        await(
                of,
                "SELECT variable_value FROM information_schema.global_status"
                        + " WHERE variable_name = 'rpl_semi_sync_master_clients'",
                "1");
    }

    /** Makes the replica the source of what it has received, all of which it applies first. The old source must be dead. */
    public void promote() {
        int next = 1 - source;
        sql(next, "STOP SLAVE IO_THREAD");
        await(next, "SELECT MASTER_GTID_WAIT('" + received(next) + "', 60)", "0");
        sql(next, "STOP SLAVE; RESET SLAVE ALL; " + SERVE);
        source = next;
    }

    private String received(int replica) {
        return sql(replica, "SHOW SLAVE STATUS\\G")
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("Gtid_IO_Pos:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** Brings a killed server back as a source that follows nobody: the mistake of an operator. */
    public void restartAsSource(int index) {
        server(index).start();
        sql(index, SERVE);
    }

    /** Brings the killed old source back as a replica of the new one. */
    @Override
    public void restart(int index) {
        MariaDbServer server = server(index);
        // As a replica it drops at its recovery what no replica had confirmed, and would otherwise have changes that
        // the
        // new source lacks. Servers without this option do so as they are semi-synchronous replicas.
        server.start("--loose-init-rpl-role=SLAVE");
        server.sql("SET GLOBAL gtid_slave_pos = @@gtid_binlog_pos");
        follow(index, source);
    }
}
