package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a server reports of itself and of the cluster it is in.
 *
 * @param variables global variables by lower-case name, those of {@link #VARIABLES} that the server has
 * @param status counters and states by lower-case name, those of {@link #STATUS} that the server has
 */
record ServerFacts(Map<String, String> variables, Map<String, String> status) {
    private static final List<String> VARIABLES = List.of(
            "wsrep_on",
            "wsrep_provider",
            "wsrep_provider_options",
            "wsrep_auto_increment_control",
            "wsrep_osu_method",
            "wsrep_dirty_reads",
            "innodb_autoinc_lock_mode",
            "innodb_flush_log_at_trx_commit",
            "binlog_format",
            "log_bin",
            "sync_binlog",
            "read_only",
            "super_read_only",
            "server_id",
            "server_uuid",
            "rpl_semi_sync_master_enabled",
            "rpl_semi_sync_master_timeout",
            "rpl_semi_sync_master_wait_point",
            "rpl_semi_sync_master_wait_no_slave",
            "rpl_semi_sync_source_enabled",
            "rpl_semi_sync_source_timeout",
            "rpl_semi_sync_source_wait_point",
            "rpl_semi_sync_source_wait_no_replica");
    private static final List<String> STATUS = List.of(
            "wsrep_ready",
            "wsrep_cluster_status",
            "wsrep_cluster_size",
            "wsrep_local_state",
            "wsrep_local_state_comment",
            "wsrep_local_index",
            "wsrep_incoming_addresses",
            "rpl_semi_sync_master_status",
            "rpl_semi_sync_source_status");

    ServerFacts {
        variables = Map.copyOf(variables);
        status = Map.copyOf(status);
    }

    static ServerFacts of(Connection connection) throws SQLException {
        ServerFacts alone = new ServerFacts(show(connection, "GLOBAL VARIABLES", VARIABLES), Map.of());
        return alone.isInCluster()
                ? new ServerFacts(alone.variables, show(connection, "GLOBAL STATUS", STATUS))
                : alone;
    }

    private boolean isInCluster() {
        return isGalera() || isOn("rpl_semi_sync_master_enabled") || isOn("rpl_semi_sync_source_enabled");
    }

    private static Map<String, String> show(Connection connection, String what, List<String> names)
            throws SQLException {
        Map<String, String> found = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SHOW " + what + " WHERE Variable_name IN ('" + String.join("', '", names) + "')")) {
            while (rows.next()) {
                String value = rows.getString(2);
                found.put(rows.getString(1).toLowerCase(Locale.ROOT), value == null ? "" : value);
            }
        }
        return found;
    }

    /** A global variable; empty where the server has none of that name. */
    String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    /** A value of the server's status; empty where the server has none of that name. */
    String status(String name) {
        return status.getOrDefault(name, "");
    }

    /** Whether a variable is switched on. */
    boolean isOn(String name) {
        return isOn(variables, name);
    }

    /** Whether a value of the server's status is on. */
    boolean isStatusOn(String name) {
        return isOn(status, name);
    }

    private static boolean isOn(Map<String, String> values, String name) {
        String value = values.getOrDefault(name, "");
        return value.equals("1") || value.equalsIgnoreCase("ON") || value.equalsIgnoreCase("YES");
    }

    /** Whether the server is a node of a Galera cluster. */
    boolean isGalera() {
        return isOn("wsrep_on") && !variable("wsrep_provider").equals("none");
    }

    /** Whether it refuses the changes of ordinary users, as a replica should. */
    boolean isReadOnly() {
        // Newer servers have more words for it than ON.
        String value = variable("read_only");
        return isOn("super_read_only") || !(value.isEmpty() || value.equals("0") || value.equalsIgnoreCase("OFF"));
    }

    /** The nodes of the Galera cluster, as the server sees them now: where they take connections. */
    List<String> members() {
        return Arrays.stream(status("wsrep_incoming_addresses").split(",", -1))
                .map(String::strip)
                .toList();
    }

    /**
     * What no other server of the cluster is called.
     *
     * @return empty where the server does not say, or does not know
     */
    String identity() {
        if (isGalera()) {
            List<String> members = members();
            int index = status("wsrep_local_index").matches("[0-9]{1,4}")
                    ? Integer.parseInt(status("wsrep_local_index"))
                    : members.size();
            return index < members.size() ? members.get(index) : "";
        }
        String uuid = variable("server_uuid");
        return uuid.isEmpty() ? "server_id " + variable("server_id") : uuid;
    }
}
