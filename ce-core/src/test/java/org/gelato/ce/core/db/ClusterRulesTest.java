package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterRulesTest {
    private static final Map<String, String> GALERA = Map.of(
            "wsrep_on", "ON",
            "wsrep_provider", "/usr/lib/galera/libgalera_smm.so",
            "wsrep_provider_options",
                    "evs.auto_evict = 0; pc.ignore_quorum = false; pc.ignore_sb = false; pc.weight = 1;",
            "wsrep_auto_increment_control", "OFF",
            "wsrep_osu_method", "TOI",
            "wsrep_dirty_reads", "OFF",
            "innodb_autoinc_lock_mode", "2",
            "binlog_format", "ROW");
    private static final Map<String, String> THREE = Map.of("wsrep_cluster_size", "3");
    private static final Map<String, String> SOURCE = Map.of(
            "log_bin", "ON",
            "sync_binlog", "1",
            "innodb_flush_log_at_trx_commit", "1",
            "rpl_semi_sync_master_enabled", "ON",
            "rpl_semi_sync_master_wait_point", "AFTER_SYNC",
            "rpl_semi_sync_master_wait_no_slave", "ON",
            "rpl_semi_sync_master_timeout", "86400000");
    private static final Map<String, String> CONFIRMING = Map.of("rpl_semi_sync_master_status", "ON");

    private static List<String> broken(Map<String, String> variables, Map<String, String> status, int servers) {
        return ClusterRules.brokenBy(new ServerFacts(variables, status), servers).stream()
                .map(b -> (b.fatal() ? "refused " : "warned ") + b.name())
                .toList();
    }

    private static Map<String, String> with(Map<String, String> values, String name, String value) {
        Map<String, String> changed = new HashMap<>(values);
        changed.put(name, value);
        return changed;
    }

    @Test
    void aClusterAsThePageConfiguresItKeepsAll() {
        assertThat(broken(GALERA, THREE, 3)).isEmpty();
        assertThat(broken(SOURCE, CONFIRMING, 2)).isEmpty();
    }

    @Test
    void aServerThatIsAloneHasNoRules() {
        assertThat(broken(Map.of("log_bin", "OFF"), Map.of(), 1)).isEmpty();
    }

    static Stream<Arguments> settings() {
        return Stream.of(
                Arguments.of("wsrep_auto_increment_control", "ON", "auto-increment"),
                Arguments.of("innodb_autoinc_lock_mode", "1", "autoinc-lock-mode"),
                Arguments.of("binlog_format", "MIXED", "binlog-format"),
                Arguments.of("wsrep_provider_options", "gcache.size = 1G; pc.ignore_sb = true; x = y", "split-brain"),
                Arguments.of("wsrep_provider_options", "pc.ignore_quorum=YES", "split-brain"),
                Arguments.of("wsrep_osu_method", "RSU", "schema-changes"),
                Arguments.of("wsrep_dirty_reads", "ON", "dirty-reads"));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aNodeSetOtherwiseIsRefused(String variable, String value, String rule) {
        assertThat(broken(with(GALERA, variable, value), THREE, 1)).containsExactly("refused " + rule);
    }

    @Test
    void twoNodesAreWorthAWarning() {
        assertThat(broken(GALERA, Map.of("wsrep_cluster_size", "2"), 3)).containsExactly("warned cluster-size");
    }

    static Stream<Arguments> sources() {
        return Stream.of(
                Arguments.of("log_bin", "OFF", "durable"),
                Arguments.of("sync_binlog", "0", "durable"),
                Arguments.of("innodb_flush_log_at_trx_commit", "2", "durable"),
                Arguments.of("rpl_semi_sync_master_enabled", "OFF", "semi-sync"),
                Arguments.of("rpl_semi_sync_master_wait_point", "AFTER_COMMIT", "semi-sync"),
                Arguments.of("rpl_semi_sync_master_wait_no_slave", "OFF", "semi-sync"),
                Arguments.of("rpl_semi_sync_master_timeout", "10000", "semi-sync"));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aSourceSetOtherwiseIsRefused(String variable, String value, String rule) {
        assertThat(broken(with(SOURCE, variable, value), CONFIRMING, 2)).containsExactly("refused " + rule);
    }

    @Test
    void aSourceWhoseReplicaIsAwayIsWorthAWarning() {
        assertThat(broken(SOURCE, Map.of("rpl_semi_sync_master_status", "OFF"), 2))
                .containsExactly("warned semi-sync-now");
    }

    @Test
    void mysqlHasOtherNamesForTheSame() {
        Map<String, String> mysql = new HashMap<>();
        SOURCE.forEach((name, value) ->
                mysql.put(name.replace("_master_", "_source_").replace("_no_slave", "_no_replica"), value));

        assertThat(broken(mysql, Map.of("rpl_semi_sync_source_status", "ON"), 2))
                .isEmpty();
        assertThat(broken(
                        with(mysql, "rpl_semi_sync_source_enabled", "OFF"),
                        Map.of("rpl_semi_sync_source_status", "ON"),
                        2))
                .containsExactly("refused semi-sync");
    }

    @Test
    void nodesAreKnownByWhereTheyTakeConnections() {
        Map<String, String> status =
                Map.of("wsrep_incoming_addresses", "10.0.0.1:3306,,10.0.0.3:3306", "wsrep_local_index", "2");

        assertThat(new ServerFacts(GALERA, status).identity()).isEqualTo("10.0.0.3:3306");
        assertThat(new ServerFacts(GALERA, with(status, "wsrep_local_index", "7")).identity())
                .isEmpty();
        assertThat(new ServerFacts(Map.of("server_id", "7"), Map.of()).identity())
                .isEqualTo("server_id 7");
        assertThat(new ServerFacts(Map.of("server_id", "7", "server_uuid", "u"), Map.of()).identity())
                .isEqualTo("u");
    }

    @Test
    void readOnlyHasMoreWordsThanOne() {
        assertThat(new ServerFacts(Map.of("read_only", "OFF"), Map.of()).isReadOnly())
                .isFalse();
        assertThat(new ServerFacts(Map.of("read_only", "ON"), Map.of()).isReadOnly())
                .isTrue();
        assertThat(new ServerFacts(Map.of("read_only", "READ_ONLY_NO_LOCK"), Map.of()).isReadOnly())
                .isTrue();
        assertThat(new ServerFacts(Map.of("read_only", "OFF", "super_read_only", "ON"), Map.of()).isReadOnly())
                .isTrue();
    }

    @Test
    void thePageExplainsEveryRule() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "admin", "scale.md"));

        assertThat(Stream.concat(
                                Stream.concat(settings(), sources())
                                        .map(arguments -> (String) arguments.get()[2]),
                                Stream.of(
                                        "cluster-size",
                                        "semi-sync-now",
                                        "one-writer",
                                        "one-source",
                                        "old-source",
                                        "node-address"))
                        .distinct())
                .allSatisfy(rule -> assertThat(page).contains("- `" + rule + "` ("));
    }
}
