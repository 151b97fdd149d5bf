package org.gelato.ce.core.db;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Manual;

/**
 * What a server in a cluster must be configured as, so that nothing that was confirmed is lost and numbers go on in their order when
 * another one becomes the writer. Each rule has a name, which its message begins with and docs/admin/scale.md explains.
 */
public final class ClusterRules {
    /** Milliseconds; a source that waits less goes on alone while its replica is away for a moment. */
    private static final long LEAST_WAIT = 3_600_000;

    private static final int FEW_NODES = 3;
    private static final Pattern SPLIT_BRAIN =
            Pattern.compile("\\bpc\\.(ignore_sb|ignore_quorum)\\s*=\\s*(true|yes|on|1)\\b", Pattern.CASE_INSENSITIVE);

    /**
     * A rule that a server does not keep.
     *
     * @param name of the rule
     * @param fatal whether the server is not used; otherwise it is worth a warning
     * @param what the server has
     * @param advice what to set
     */
    public record Broken(String name, boolean fatal, String what, String advice) {
        /** All of it in one line. */
        public String text() {
            return "rule " + name + ": " + what + "; " + advice + " (" + Manual.page("docs/admin/scale.md") + ")";
        }
    }

    private ClusterRules() {}

    /** The rules that the server of a pool does not keep; reads only. */
    public static List<Broken> brokenBy(Database database) {
        return database.read(h -> {
            try {
                return brokenBy(ServerFacts.of(h.getConnection()), database.servers());
            } catch (SQLException e) {
                throw new IllegalStateException("the database's settings cannot be read: " + e.getMessage(), e);
            }
        });
    }

    /** @param servers that the URL names */
    static List<Broken> brokenBy(ServerFacts server, int servers) {
        List<Broken> broken = new ArrayList<>();
        if (server.isGalera()) {
            galera(server, broken);
        } else if (servers > 1) {
            replicated(server, broken);
        }
        return broken;
    }

    private static void galera(ServerFacts server, List<Broken> broken) {
        if (server.isOn("wsrep_auto_increment_control")) {
            broken.add(new Broken(
                    "auto-increment",
                    true,
                    "wsrep_auto_increment_control is ON, so the steps between ids change with the number of nodes",
                    "set wsrep_auto_increment_control=OFF and the same auto_increment_increment on every node"));
        }
        if (!server.variable("innodb_autoinc_lock_mode").equals("2")) {
            broken.add(new Broken(
                    "autoinc-lock-mode",
                    true,
                    "innodb_autoinc_lock_mode is " + server.variable("innodb_autoinc_lock_mode")
                            + ", with which applying the changes of others can deadlock",
                    "set innodb_autoinc_lock_mode=2 on every node"));
        }
        if (!server.variable("binlog_format").equalsIgnoreCase("ROW")) {
            broken.add(new Broken(
                    "binlog-format",
                    true,
                    "binlog_format is " + server.variable("binlog_format") + ", and Galera replicates rows alone",
                    "set binlog_format=ROW on every node"));
        }
        if (SPLIT_BRAIN.matcher(server.variable("wsrep_provider_options")).find()) {
            broken.add(new Broken(
                    "split-brain",
                    true,
                    "wsrep_provider_options has pc.ignore_sb or pc.ignore_quorum, so both halves of a divided cluster take changes",
                    "remove both options on every node"));
        }
        if (!server.variable("wsrep_osu_method").equalsIgnoreCase("TOI")) {
            broken.add(new Broken(
                    "schema-changes",
                    true,
                    "wsrep_OSU_method is " + server.variable("wsrep_osu_method")
                            + ", so an upgrade would change the tables of one node alone",
                    "set wsrep_OSU_method=TOI on every node"));
        }
        if (server.isOn("wsrep_dirty_reads")) {
            broken.add(new Broken(
                    "dirty-reads",
                    true,
                    "wsrep_dirty_reads is ON, so a node that lost the cluster answers with what it had",
                    "set wsrep_dirty_reads=OFF on every node"));
        }
        if (number(server.status("wsrep_cluster_size")) < FEW_NODES) {
            broken.add(new Broken(
                    "cluster-size",
                    false,
                    "the cluster has " + server.status("wsrep_cluster_size")
                            + " nodes now, and the rest of two stops when one is lost",
                    "bring the missing nodes back, or add one"));
        }
    }

    private static void replicated(ServerFacts server, List<Broken> broken) {
        if (!server.isOn("log_bin")
                || number(server.variable("sync_binlog")) != 1
                || number(server.variable("innodb_flush_log_at_trx_commit")) != 1) {
            broken.add(new Broken(
                    "durable",
                    true,
                    "log_bin is " + server.variable("log_bin") + ", sync_binlog " + server.variable("sync_binlog")
                            + ", innodb_flush_log_at_trx_commit "
                            + server.variable("innodb_flush_log_at_trx_commit")
                            + ", so a crash loses what was confirmed or what the replica has",
                    "set log_bin, sync_binlog=1 and innodb_flush_log_at_trx_commit=1 on source and replica"));
        }
        String side = server.variable("rpl_semi_sync_source_enabled").isEmpty() ? "master" : "source";
        String prefix = "rpl_semi_sync_" + side + "_";
        String noReplica = prefix + (side.equals("master") ? "wait_no_slave" : "wait_no_replica");
        boolean enabled = server.isOn(prefix + "enabled");
        if (!enabled
                || !server.variable(prefix + "wait_point")
                        .toUpperCase(Locale.ROOT)
                        .equals("AFTER_SYNC")
                || number(server.variable(prefix + "timeout")) < LEAST_WAIT
                || !server.isOn(noReplica)) {
            broken.add(new Broken(
                    "semi-sync",
                    true,
                    prefix + "enabled is " + (enabled ? "ON" : "OFF") + ", wait_point "
                            + server.variable(prefix + "wait_point") + ", timeout "
                            + server.variable(prefix + "timeout") + " ms, " + noReplica + " "
                            + server.variable(noReplica)
                            + ", so jobs that were confirmed may be missing on the replica",
                    "set " + prefix + "enabled=ON, " + prefix + "wait_point=AFTER_SYNC, " + prefix
                            + "timeout of an hour or more and " + noReplica + "=ON on the source"));
        } else if (!server.isStatusOn(prefix + "status")) {
            broken.add(new Broken(
                    "semi-sync-now",
                    false,
                    prefix + "status is OFF: no replica confirms changes at present",
                    "bring the replica back"));
        }
    }

    private static long number(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }
}
